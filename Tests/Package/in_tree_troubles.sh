#!/usr/bin/env bash
# What may go wrong around an installed service, tried in a booted Debian: in_tree.sh reads this file, and has the
# functions and variables that it uses. Each step leaves the service running as it found it.
# shellcheck disable=SC2154

# drop_in LINE...: starts the service with these lines in its section [Service].
drop_in() {
    mkdir -p /etc/systemd/system/tminus.service.d
    printf '%s\n' '[Service]' "$@" >/etc/systemd/system/tminus.service.d/check.conf
    systemctl daemon-reload
    systemctl restart tminus
}
without_drop_in() {
    rm /etc/systemd/system/tminus.service.d/check.conf
    systemctl daemon-reload
    systemctl restart tminus
    until_true 20 tminus show far >/dev/null
    is "$(due)" "$far"
}
# fires NAME: whether a new timer is delivered.
fires() {
    printf 'timers:\n  %s: { duration: 1s, name: The %s }\n' "$1" "$1" >"$config/$1.yaml"
    until_true 20 logged "The $1 has ended"
}
says() { grep -qF -- "$1" "$2" || fail "\"$1\" is not in: $(cat "$2")"; }
# ends_with STATUS COMMAND...: what it prints is in /tmp/said.
ends_with() {
    local wanted=$1 status=0
    shift
    "$@" >/tmp/said 2>&1 || status=$?
    is "$status of $*: $(cat /tmp/said)" "$wanted of $*: $(cat /tmp/said)"
}

step "a second daemon on one state: refused, with the first one's process id"
ends_with 74 runuser -u tminus -- tminus run --config $config --state $state
says "another tminus (process id $(unit MainPID)) runs on the state directory" /tmp/said
active
passed

step "upgrade while a command runs: it may end, and runs once"
printf 'timers:\n  drained:\n    duration: 1s\n    on-expiry:\n      - shell: |
          echo "$TMINUS_DELIVERY" >>"$TMINUS_STATE/drained"
          until [ -e "$TMINUS_STATE/go" ]; do sleep 0.1; done\n' >$config/drained.yaml
until_true 20 [ -s $state/drained ]
before=$(unit MainPID)
dpkg -i "$current" >/tmp/upgrade 2>&1 &
upgrade=$!
stopping() { [ "$(unit ActiveState)" = deactivating ]; }
until_true 20 stopping
touch $state/go
wait $upgrade
until_true 20 another
delivered() { tminus history "$1" --json | grep -q '"delivered"'; }
until_true 20 delivered drained
is "$(wc -l <$state/drained)" 1
passed

step "upgrade while a command runs too long: it is repeated with the same id"
rm $state/go
printf 'timers:\n  repeated:\n    duration: 1s\n    on-expiry:\n      - shell: |
          echo "$TMINUS_DELIVERY" >>"$TMINUS_STATE/repeated"
          until [ -e "$TMINUS_STATE/go" ]; do sleep 0.1; done\n' >$config/repeated.yaml
until_true 20 [ -s $state/repeated ]
dpkg -i "$current" >/tmp/upgrade 2>&1
touch $state/go
until_true 20 delivered repeated
is "$(wc -l <$state/repeated)" 2
is "$(sort -u $state/repeated | wc -l)" 1
passed

step "a full disk: it stays up and says so, backup and restore refuse, and it goes on when there is room"
systemctl stop tminus
kept=$state.kept
mv $state $kept
mkdir $state
mount -t tmpfs -o "size=4m,mode=700,uid=$(id -u tminus),gid=$(id -g tminus)" tmpfs $state
cp -a $kept/tminus.sqlite* $state/
systemctl start tminus
until_true 20 tminus show far >/dev/null
tminus backup --state $state --config $config /root/before-full.tar
fill() { dd if=/dev/zero of=$state/ballast bs=4k 2>/dev/null || true; }
fill
printf 'timers:\n  full: { duration: 1s, name: The full }\n' >$config/full.yaml
told() { ! tminus status >/tmp/said 2>&1 && grep -qF "no room on the disk" /tmp/said; }
until_true 20 told
ends_with 74 tminus status
ends_with 74 tminus backup --state $state --config $config $state/full.tar
says "no room for a copy of the store: it needs" /tmp/said
active
rm $state/ballast
until_true 60 logged "The full has ended"
ends_with 0 tminus status
is "$(due)" "$far"
systemctl stop tminus
fill
before=$(sha256sum <$state/tminus.sqlite)
ends_with 74 tminus restore --state $state --config $config --insecure-permissions /root/before-full.tar
says "No space left on device" /tmp/said
is "$(sha256sum <$state/tminus.sqlite)" "$before"
rm $state/ballast
cp -a $state/tminus.sqlite* $kept/
umount $state
rmdir $state
mv $kept $state
systemctl start tminus
until_true 20 tminus show far >/dev/null
passed

step "the root file system read-only, its state apart"
systemctl stop tminus
printf 'timers:\n  readonly: { duration: 1s, name: The readonly }\n' >$config/readonly.yaml
unshare --mount sh -ec "mount --bind $state $state
    mount -o remount,bind,ro /
    ! touch /usr/probe 2>/dev/null
    exec setpriv --reuid tminus --regid tminus --init-groups tminus run --config $config --state $state" >/tmp/readonly 2>&1 &
read_only=$!
until_true 20 grep -q "The readonly has ended" /tmp/readonly
ends_with 0 tminus status --state $state
kill $read_only
wait $read_only
systemctl start tminus
until_true 20 tminus show far >/dev/null
passed

step "a state that is read-only: refused in words"
systemctl stop tminus
ends_with 74 unshare --mount sh -c "mount --bind $state $state && mount -o remount,bind,ro $state &&
    exec runuser -u tminus -- tminus run --config $config --state $state"
says "Read-only file system" /tmp/said
systemctl start tminus
until_true 20 tminus show far >/dev/null
passed

step "/etc/localtime missing: the zone is UTC"
mv /etc/localtime /etc/localtime.kept
systemctl restart tminus
until_true 20 tminus show far >/dev/null
is "$(due)" "$far"
tminus next --cron '0 9 * * *' --json >/tmp/said
says '"timezone":"UTC"' /tmp/said
fires without-zone
mv /etc/localtime.kept /etc/localtime
passed

step "TZDIR without zones: a file that names one is an error in words, the others go on"
mkdir -p /var/empty-zones
drop_in Environment=TZDIR=/var/empty-zones
printf 'events:\n  zoned: { cron: "0 9 * * *", timezone: Europe/Berlin }\n' >$config/zoned.yaml
until_true 20 logged "this machine has no time zone data; install tzdata"
fires without-zones
rm $config/zoned.yaml
without_drop_in
passed

step "a clock that is not synchronised holds nothing up"
# Nothing synchronises the clock here, so the target that stands for it is never reached.
systemctl restart tminus
until_true 20 active
is "$(systemctl is-active time-sync.target || true)" inactive
fires unsynchronised
passed
