#!/usr/bin/env bash
# What may go wrong around an installed service, tried in a booted Debian: in_tree.sh reads this file, and has the
# functions and variables that it uses. Each step leaves the service running as it found it.
# shellcheck disable=SC2154

# fires NAME: whether a new timer is delivered.
fires() {
    printf 'timers:\n  %s: { duration: 1s, name: The %s }\n' "$1" "$1" >"$config/$1.yaml"
    until_true 20 logged "The $1 has ended"
}
step "the daemon of another package on one state: refused, with the first one's process id"
mkdir -p /tmp/older
dpkg-deb --fsys-tarfile "$older" | tar -x -C /tmp/older ./usr/bin/tminus
ends_with 74 runuser -u tminus -- /tmp/older/usr/bin/tminus run --config $config --state $state
says "another tminus (process id $(unit MainPID)) runs on the state directory" /tmp/said
rm -r /tmp/older
active
is "$(due)" "$far"
passed

step "definitions that belong to another user: refused with the chown, and it goes on when mended"
chown nobody $config
# While it runs: what is in force stays so.
if systemctl reload tminus 2>/dev/null; then fail "the reload passed"; fi
until_true 20 logged "its directory belongs to another user (id $(id -u nobody)); run 'chown $(id -u tminus) $config'"
tminus show far >/dev/null
if systemctl restart tminus 2>/dev/null; then fail "it started"; fi
is "$(unit ActiveState) $(unit ExecMainStatus)" "failed 77"
logged "$config: it belongs to another user (id $(id -u nobody)); run 'chown $(id -u tminus) $config'"
chown root $config
systemctl reset-failed tminus
systemctl start tminus
until_true 20 tminus show far >/dev/null
is "$(due)" "$far"
passed

step "upgrade while a command runs: it may end, and runs once"
# The command ends when the test makes the file; a shell can only look for it.
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
until_true 20 delivered drained
is "$(wc -l <$state/drained)" 1
passed

step "upgrade while a command runs too long: it is repeated with the same id"
rm $state/go
# As above.
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
ends_with 74 tminus restore --state $state --config $config /root/before-full.tar
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

step "a clock that is not synchronised holds nothing up, and doctor says so"
# Nothing synchronises the clock here, so the target that stands for it is never reached.
systemctl restart tminus
until_true 20 active
is "$(systemctl is-active time-sync.target || true)" inactive
fires unsynchronised
printf 'events:\n  appointment: { at: 2099-12-01 09:00 }\n' >$config/appointment.yaml
tminus reload --wait >/dev/null
tminus doctor >/tmp/said 2>&1 || true
# The clock is that of the machine that boots the tree, which may be synchronised.
if [ "$(timedatectl show --property NTPSynchronized --value)" = no ]; then
    says "clock-unsynchronised" /tmp/said
    says "appointment" /tmp/said
else
    is "$(grep -c clock-unsynchronised /tmp/said || true)" 0
fi
rm $config/appointment.yaml
passed
