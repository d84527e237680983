#!/usr/bin/env bash
# Writes what goes to share/ beside a program: manual pages, completions and schemas. Usage: write-share TMINUS GENERATE-MANUAL DIRECTORY
set -euo pipefail
program=$1 generate=$2 share=$3

rm -rf "$share"
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$share/man/man1" "$share/man/man5" "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d" \
    "$share/tminus/schemas"
# The date of the change, not of the build, so that the same source makes the same pages.
date=$(date -u -I -d "@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}")
"$generate" "$program" --multi-page --date "$date" --output-directory "$share/man/man1"
# man(1) finds `tminus next` under tminus-next, as with git. An empty line is an error of mdoc(7): it means a paragraph.
for page in "$share"/man/man1/tminus.*.*; do
    name=$(basename "$page" .1)
    mv "$page" "$share/man/man1/${name//./-}.1"
done
rm -f "$share/man/man1/tminus-help.1"
sed -i 's/^$/.Pp/; /^.Dt/s/\([A-Z]\)\./\1-/g' "$share"/man/man1/*.1
# whatis(1) wants the name of the file as the name of the page; the synopsis is as one types it.
for page in "$share"/man/man1/tminus-*.1; do
    name=$(basename "$page" .1)
    typed=$(sed -n 's/^\.Nm "\(.*\)".*/\1/p;T;q' "$page")
    sed -i -e "/^\.Sh NAME/,/^\.Nd/s/^\.Nm \"[^\"]*\"/.Nm $name/" \
        -e "/^\.Sh SYNOPSIS/,/^\.Sh DESC/s/^\.Nm\$/.Nm \"$typed\"/" "$page"
done
# The last line of a page has no line break. Below the generated text: our exit statuses and the pages that exist.
for page in "$share"/man/man1/*.1; do
    name=$(basename "$page" .1)
    parent=${name%-*}
    children=$(sed -n 's/^\.Xr \(tminus[a-z.-]*\) 1.*/\1/p' "$page" | tr . -)
    sed -i '/^\.Sh "SEE ALSO"/,$d' "$page"
    sed -i -e "/^\.Ex -std/{r $here/exit-status.mdoc" -e 'd}' "$page"
    {
        echo '.Sh "SEE ALSO"'
        for other in $([ "$name" = tminus ] || echo "$parent") $children; do
            [ ! -e "$share/man/man1/$other.1" ] || echo ".Xr $other 1 ,"
        done
        echo '.Xr tminus-config 5'
    } >>"$page"
done
awk -v date="$(LC_ALL=C date -u -d "$date" '+%B %-d, %Y')" -f "$here/reference-to-mdoc.awk" \
    "$here/../Sources/TminusCore/TminusCore.docc/Configuration.md" >"$share/man/man5/tminus-config.5"
# A completion is read, not run.
"$program" --generate-completion-script bash | sed '1{/^#!/d}' >"$share/bash-completion/completions/tminus"
"$program" --generate-completion-script zsh >"$share/zsh/site-functions/_tminus"
"$program" --generate-completion-script fish >"$share/fish/vendor_completions.d/tminus.fish"
"$program" schema >"$share/tminus/tminus.schema.json"
cp "$here"/../Examples/schemas/*.schema.json "$share/tminus/schemas/"
cp "$here/../Sources/TminusDaemon/Serving/control.openapi.json" "$share/tminus/"
