#!/usr/bin/env bash
# Tries the package in a booted Debian, as root, from install to purge; check_deb.py boots it. Each step waits for what
# a person would look for: a line of the journal, the state of the unit, an answer of the command.
# usage: in_tree.sh OLDER.deb CURRENT.deb. Prints "ok STEP" lines; ends at the first step that fails, with status 1.
set -Eeuo pipefail
export LC_ALL=C
older=$1 current=$2
config=/etc/tminus state=/var/lib/tminus

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
        sleep 0.1
    done
}
logged() { journalctl -u tminus --no-pager -o cat --sync >/dev/null 2>&1; journalctl -u tminus --no-pager -o cat | grep -qF -- "$1"; }
active() { systemctl is-active -q tminus; }
unit() { systemctl show -P "$1" tminus; }
is() { [ "$1" = "$2" ] || fail "\"$1\" instead of \"$2\""; }
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

step "another user is refused with status 77 or 69"
status=0
runuser -u nobody -- tminus list >/tmp/refused 2>&1 || status=$?
case $status in 69 | 77) ;; *) fail "status $status: $(cat /tmp/refused)" ;; esac
passed

step "edit, live"
printf 'timers:\n  second: { duration: 1s, name: The second }\n' >$config/second.yaml
until_true 20 logged "The second has ended"
passed

step "reload"
systemctl reload tminus
active
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

step "idle: no timer of libdispatch wakes it each second"
# As the program is linked here, --wrap has to have held it back.
switches() { cat /proc/"$(unit MainPID)"/task/*/status | awk '/^voluntary/ { n += $2 } END { print n }'; }
quiet() {
    local first
    first=$(switches)
    sleep 6
    [ $(($(switches) - first)) -lt 5 ]
}
until_true 60 quiet
passed

step "the drop-in for commands"
mkdir -p /etc/systemd/system/tminus.service.d
ln -s /usr/share/tminus/tminus-commands.conf /etc/systemd/system/tminus.service.d/
systemctl daemon-reload
systemctl restart tminus
until_true 20 active
printf 'timers:\n  third: { duration: 1s, on-expiry: [{ shell: "cat /proc/1/comm" }] }\n' >$config/third.yaml
third() { tminus history third --json | grep -q '"delivered"'; }
until_true 20 third
rm /etc/systemd/system/tminus.service.d/tminus-commands.conf
systemctl daemon-reload
systemctl restart tminus
until_true 20 active
passed

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

step "restore that copy: nothing lost"
systemctl stop tminus
tminus restore --state $state --config $config --insecure-permissions --store $copy
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

if tminus --help | grep -q ' backup '; then
    step "backup and restore"
    tminus backup --state $state --config $config /root/backup.tar
    systemctl stop tminus
    rm -rf ${state:?}/*
    tminus restore --state $state --config $config --insecure-permissions /root/backup.tar
    systemctl start tminus
    until_true 20 tminus show far >/dev/null
    is "$(due)" "$far"
    passed
fi

. "$(dirname "$0")/in_tree_troubles.sh"

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

step "install after the purge"
dpkg -i "$current" >/dev/null
until_true 20 active
until_true 20 tminus show far >/dev/null
passed

echo "all passed"
