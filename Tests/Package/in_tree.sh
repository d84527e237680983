#!/usr/bin/env bash
# Tries the package in a booted Debian, as root, from install to purge; check_deb.py boots it. Each step waits for what
# a person would look for: a line of the journal, the state of the unit, an answer of the command.
# usage: in_tree.sh OLDER.deb CURRENT.deb. Prints "ok STEP" lines; ends at the first step that fails, with status 1.
set -Eeuo pipefail
export LC_ALL=C
older=$1 current=$2
config=/etc/tminus state=/var/lib/tminus
here=$(cd "$(dirname "$0")" && pwd)
articles=/usr/share/doc/tminus/articles

step() {
    # systemd starts no service six times in 10 s.
    systemctl reset-failed tminus 2>/dev/null || true
    current_step=$1
    started=$(date +%s%3N)
}
passed() { echo "ok   $current_step ($(($(date +%s%3N) - started)) ms)"; }
fail() {
    echo "FAIL $current_step: $*"
    systemctl status tminus --no-pager --lines 0 2>&1 | sed 's/^/     /' || true
    journalctl -u tminus --no-pager -n 30 2>&1 | sed 's/^/     /' || true
    exit 1
}
trap 'fail "line $LINENO"' ERR

# until_true SECONDS COMMAND...: waits for a state that can be looked at.
until_true() {
    local end=$(($(date +%s) + $1))
    shift
    until "$@"; do
        [ "$(date +%s)" -lt "$end" ] || fail "waited in vain for: $*"
        # No state that is asked for here tells of itself: look again.
        sleep 0.1
    done
}
logged() { journalctl -u tminus --no-pager -o cat --sync >/dev/null 2>&1; journalctl -u tminus --no-pager -o cat | grep -qF -- "$1"; }
active() { systemctl is-active -q tminus; }
unit() { systemctl show -P "$1" tminus; }
is() { [ "$1" = "$2" ] || fail "\"$1\" instead of \"$2\""; }
# block PAGE WORDS: the commands of an installed page, as it shows them: its blocks of code that have these words.
block() {
    awk -v words="$2" '/^```/ { if (inside && index(text, words)) printf "%s", text; inside = !inside; text = ""; next }
        inside { text = text $0 "\n" }' "$1"
}
says() { grep -qF -- "$1" "$2" || fail "\"$1\" is not in: $(cat "$2")"; }
# ends_with STATUS COMMAND...: what it prints is in /tmp/said.
ends_with() {
    local wanted=$1 status=0
    shift
    "$@" >/tmp/said 2>&1 || status=$?
    is "$status of $*: $(cat /tmp/said)" "$wanted of $*: $(cat /tmp/said)"
}
# The instant at which the long countdown ends, to the second. It must outlive all that follows.
due() { tminus show far --json | grep -o '"[a-zA-Z]*[dD]ue" *: *"[^".+Z]*' | head -1; }

step "install"
dpkg -i "$older" >/dev/null
until_true 20 active
is "$(stat -c '%a %U %G' $config)" "750 root tminus"
is "$(stat -c '%a %U' $state)" "700 tminus"
systemctl is-enabled -q tminus
passed

step "first countdown delivered"
printf 'timers:\n  hello: { duration: 1s, name: The first }\n  far: { duration: 9h }\n' >$config/first.yaml
until_true 20 logged "The first has ended"
passed

step "a shipped example at work"
cp /usr/share/doc/tminus/examples/alive/alive.yaml $config/alive.yaml
tminus reload --wait >/dev/null
tminus list >/tmp/list
grep -q alive /tmp/list
rm $config/alive.yaml
tminus reload --wait >/dev/null
[ -f /usr/share/doc/tminus/examples/prometheus/tminus.rules.yaml ]
[ -f /usr/share/doc/tminus/examples/grafana/tminus.json ]
passed

step "each link of the documentation leads to something"
cd /usr/share/doc/tminus
[ -f articles/Operating.md ]
for page in *.md articles/*.md; do
    # A page may have no link to another one.
    for link in $({ grep -oE '\]\([^):# ]+' "$page" || true; } | cut -c3-); do
        case $link in http | https) continue ;; esac
        [ -e "$(dirname "$page")/$link" ] || fail "$page: $link"
    done
done
cd /
passed

step "the list, as root and without options"
tminus list >/tmp/list
grep -q far /tmp/list
far=$(due)
[ -n "$far" ]
passed

step "another user is refused with status 77 and the command to use, which works"
ends_with 77 runuser -u nobody -- tminus list
says "run the command as that user, for example with 'sudo -u tminus tminus ...'" /tmp/said
ends_with 0 sudo -u tminus tminus list
says far /tmp/said
passed

step "each command has its manual page"
names=$(tminus --help | sed -n '/^SUBCOMMANDS:/,$s/^  \([a-z]\{1,\}\)[, ].*/\1/p')
[ "$(echo "$names" | wc -l)" -gt 30 ]
for name in $names; do
    [ "$name" = help ] || [ -e "/usr/share/man/man1/tminus-$name.1.gz" ] || fail "no page of $name"
done
passed

step "make install: the program, its pages, completions and schemas at another place"
made=$here/made/usr/local
is "$("$made/bin/tminus" --version)" "$(tminus --version)"
for file in man/man1/tminus.1 man/man5/tminus-config.5 bash-completion/completions/tminus \
    zsh/site-functions/_tminus fish/vendor_completions.d/tminus.fish tminus/tminus.schema.json \
    tminus/schemas/status.schema.json tminus/control.openapi.json doc/tminus/NOTICES; do
    is "$file $(stat -c '%a %U' "$made/share/$file")" "$file 644 root"
done
"$made/bin/tminus" check $config >/dev/null
passed

step "edit, live"
printf 'timers:\n  second: { duration: 1s, name: The second }\n' >$config/second.yaml
until_true 20 logged "The second has ended"
passed

step "kill -9 and restart"
before=$(unit MainPID)
kill -9 "$before"
another() { active && [ "$(unit MainPID)" != "$before" ] && [ "$(unit MainPID)" != 0 ]; }
until_true 20 another
until_true 20 tminus show far >/dev/null
is "$(due)" "$far"
passed

step "upgrade"
before=$(unit MainPID)
dpkg -i "$current" >/dev/null
until_true 20 another
until_true 20 tminus show far >/dev/null
is "$(due)" "$far"
passed

step "a store of the first schema: copied, then brought up to date, and nothing of it lost"
systemctl stop tminus
mv $state $state.own
install -d -m 700 -o tminus -g tminus $state
install -m 600 -o tminus -g tminus "$here/schema-1.sqlite" $state/tminus.sqlite
systemctl start tminus
until_true 20 tminus show egg >/dev/null
active
for copy in "$state"/tminus.sqlite.before-M002*; do
    is "$(stat -c '%a %U' "$copy")" "600 tminus"
    is "$(sqlite3 "$copy" 'SELECT count(*) FROM grdb_migrations')" 1
done
[ "$(sqlite3 $state/tminus.sqlite 'SELECT count(*) FROM grdb_migrations')" -gt 1 ]
# A countdown that somebody started without a file, and a delivery that was given up.
tminus show egg >/tmp/said
says 4:00 /tmp/said
tminus deliveries >/tmp/said
says "$(sqlite3 "$here/schema-1.sqlite" "SELECT substr(id, 1, 8) FROM delivery WHERE state = 'dead'")" /tmp/said
systemctl stop tminus
rm -r $state
mv $state.own $state
systemctl start tminus
until_true 20 tminus show far >/dev/null
is "$(due)" "$far"
passed

step "idle: no timer of libdispatch wakes it each second"
# As the program is linked here, --wrap has to have held it back.
switches() { cat /proc/"$(unit MainPID)"/task/*/status | awk '/^voluntary/ { n += $2 } END { print n }'; }
quiet() {
    local first
    first=$(switches)
    # The time is the measure: wake-ups are counted over it.
    sleep 6
    [ $(($(switches) - first)) -lt 5 ]
}
until_true 60 quiet
passed

. "$here/in_tree_systemd.sh"

step "a user's own service: not enabled by itself, and apart from the system's"
useradd --create-home ada
as_ada() { runuser -u ada -- env XDG_RUNTIME_DIR="/run/user/$(id -u ada)" "$@"; }
as_ada mkdir -p /home/ada/.config/tminus
printf 'timers:\n  mine: { duration: 9h }\n' | as_ada tee /home/ada/.config/tminus/mine.yaml >/dev/null
systemctl start "user@$(id -u ada)"
inactive_for_ada() { ! as_ada systemctl --user is-active -q tminus; }
inactive_for_ada
as_ada systemctl --user enable --now tminus 2>/dev/null
until_true 20 as_ada tminus show mine >/dev/null
as_ada tminus list >/tmp/list
grep -q mine /tmp/list
[ "$(grep -c far /tmp/list || true)" = 0 ]
passed

step "systemd has nothing to say against the units"
# What it says of the units of others is theirs.
verified() { ! grep -F tminus "$1"; }
systemd-analyze verify --man=no tminus.service 2>/tmp/said
verified /tmp/said
as_ada systemd-analyze --user verify --man=no /usr/lib/systemd/user/tminus.service 2>/tmp/said
verified /tmp/said
passed

step "downgrade by apt to a program that cannot read the store: refused, with the copy to restore"
# As a newer program does it: a copy from before its migration, then the migration.
systemctl stop tminus
copy=$state/tminus.sqlite.before-M004
runuser -u tminus -- sqlite3 $state/tminus.sqlite "VACUUM INTO '$copy'"
chmod 600 $copy
sqlite3 $state/tminus.sqlite "INSERT INTO grdb_migrations VALUES ('M004-of-a-newer-program')"
DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --allow-downgrades "$older" >/tmp/downgrade 2>&1
until_true 20 logged "was written by a newer tminus"
logged "'tminus restore --store $copy'"
inactive() { ! active; }
until_true 20 inactive
passed

step "restore that copy, as Operating says: nothing lost"
systemctl stop tminus
block $articles/Operating.md "tminus restore --store" >/tmp/commands
says "before-M002" /tmp/commands
sed -i 's/before-M002/before-M004/' /tmp/commands
bash -e /tmp/commands
is "$(stat -c '%a %U %G' $state/tminus.sqlite)" "600 tminus tminus"
systemctl reset-failed tminus || true
systemctl start tminus
until_true 20 tminus show far >/dev/null
is "$(due)" "$far"
passed

step "upgrade after the downgrade: nothing lost"
dpkg -i "$current" >/dev/null
until_true 20 tminus show far >/dev/null
is "$(due)" "$far"
passed

step "backup and restore, as Operating says: owners, modes and definitions as before"
# What failed on purpose would count as trouble afterwards.
tminus status --exit-code >/tmp/said 2>&1 || fail "$(cat /tmp/said)"
block $articles/Operating.md "tminus backup /" >/tmp/commands
says "/var/backups/tminus-" /tmp/commands
bash -e /tmp/commands
is "$(stat -c '%a %U' "/var/backups/tminus-$(date +%F).tar")" "600 root"
block $articles/Operating.md "tminus restore /" | sed "s/tminus-[0-9-]*[.]tar/tminus-$(date +%F).tar/" >/tmp/commands
says "/var/backups/tminus-$(date +%F).tar" /tmp/commands
systemctl stop tminus
rm -rf ${state:?}/* $config/first.yaml
bash -e /tmp/commands
until_true 20 tminus show far >/dev/null
is "$(due)" "$far"
is "$(stat -c '%a %U %G' $config)" "750 root tminus"
# An archive has no owners: all belongs to those of the directory, so that the service can read it.
is "$(stat -c '%a %U %G' $config/first.yaml)" "644 root tminus"
is "$(stat -c '%a %U %G' $state)" "700 tminus tminus"
is "$(stat -c '%a %U %G' $state/tminus.sqlite)" "600 tminus tminus"
ends_with 0 tminus status --exit-code
passed

. "$here/in_tree_troubles.sh"

step "remove and install again: state and definitions stay"
dpkg -r tminus >/dev/null 2>&1
inactive
[ -e $state/tminus.sqlite ]
[ -e $config/first.yaml ]
dpkg -i "$current" >/dev/null
until_true 20 tminus show far >/dev/null
is "$(due)" "$far"
passed

step "purge: the state goes, the definitions, the user and the services of users stay"
dpkg --purge tminus >/dev/null 2>&1
[ ! -e $state ]
[ -e $config/first.yaml ]
getent passwd tminus >/dev/null
[ -e /home/ada/.local/state/tminus/tminus.sqlite ]
as_ada systemctl --user is-active -q tminus
[ ! -e /usr/bin/tminus ]
passed

. "$here/in_tree_pages.sh"

echo "all passed"
