#!/usr/bin/env bash
# Writes what goes to share/ beside a program: manual pages and completions. Usage: write-share TMINUS GENERATE-MANUAL DIRECTORY
set -euo pipefail
program=$1 generate=$2 share=$3

rm -rf "$share"
mkdir -p "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
# The date of the change, not of the build, so that the same source makes the same pages.
date=$(git log -1 --format=%cs 2>/dev/null || date -I)
"$generate" "$program" --multi-page --date "$date" --output-directory "$share/man/man1"
# man(1) finds `tminus next` under tminus-next, as with git. An empty line is an error of mdoc(7): it means a paragraph.
for page in "$share"/man/man1/tminus.*.*; do
    name=$(basename "$page" .1)
    mv "$page" "$share/man/man1/${name//./-}.1"
done
rm -f "$share/man/man1/tminus-help.1"
sed -i 's/^$/.Pp/; /^.Dt/s/\([A-Z]\)\./\1-/g' "$share"/man/man1/*.1
"$program" --generate-completion-script bash >"$share/bash-completion/completions/tminus"
"$program" --generate-completion-script zsh >"$share/zsh/site-functions/_tminus"
"$program" --generate-completion-script fish >"$share/fish/vendor_completions.d/tminus.fish"
