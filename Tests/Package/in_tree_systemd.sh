#!/usr/bin/env bash
# What systemd and the service say to each other, tried in a booted Debian: in_tree.sh reads this file, and has the
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
delivered() { tminus history "$1" --json 2>/dev/null | grep -q '"delivered"'; }

step "reload: what was written is in force as soon as it returns"
printf 'timers:\n  now: { duration: 9h }\n' >$config/now.yaml
systemctl reload tminus
tminus show now >/dev/null
active
passed

step "reload of a broken file: it fails, the last good content stays in force, the log says where"
since=$(date +%s.%N)
printf 'timers:\n  now: { duratoin: 9h }\n' >$config/now.yaml
if systemctl reload tminus 2>/dev/null; then fail "the reload passed"; fi
active
tminus show now >/dev/null
ends_with 1 tminus status --exit-code
says now.yaml /tmp/said
passed

step "priorities of the journal: errors are found by theirs, and notices are not among them"
journal() { journalctl -u tminus --no-pager -o cat --since "@$since" "$@" >/tmp/said; }
journalctl --sync
journal -p err
says now.yaml /tmp/said
for notice in "definitions in force" "tminus runs" "has ended"; do
    is "$notice: $(grep -cF "$notice" /tmp/said || true)" "$notice: 0"
done
is "$(grep -c '^<[0-7]>' /tmp/said || true)" 0
printf 'timers:\n  now: { duration: 8h }\n' >$config/now.yaml
systemctl reload tminus
journalctl --sync
journal -p notice
says "definitions in force" /tmp/said
rm $config/now.yaml
systemctl reload tminus
passed

step "SIGHUP twice at once: ready again, with what was written before"
printf 'timers:\n  twice: { duration: 9h }\n' >$config/twice.yaml
before=$(unit MainPID)
kill -HUP "$before" "$before"
until_true 20 tminus show twice >/dev/null
ready() { [ "$(systemctl is-active tminus)" = active ]; }
until_true 20 ready
is "$(unit MainPID)" "$before"
rm $config/twice.yaml
systemctl reload tminus
passed

step "a daemon that hangs: the watchdog of systemd ends it, and nothing is lost"
drop_in WatchdogSec=5s
until_true 20 tminus show far >/dev/null
before=$(unit MainPID)
kill -STOP "$before"
until_true 60 another
until_true 20 tminus show far >/dev/null
is "$(due)" "$far"
logged "Watchdog timeout"
logged "Failed with result 'watchdog'"
without_drop_in
passed

step "a secret by LoadCredential: a hook and the signature of a webhook have it"
mkdir -m 700 /etc/tminus.secrets
printf 'c4e1b07f6d-a-secret' >/etc/tminus.secrets/chat
chmod 600 /etc/tminus.secrets/chat
# One request, as it came.
perl -e 'use IO::Socket::INET; my $server = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1:9109") or die;
    my $client = $server->accept; my ($head, $length) = ("", 0);
    while (<$client>) { $length = $1 if /^content-length: *(\d+)/i; $head .= $_; last if /^\r?$/ }
    read $client, my $body, $length; print $client "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";
    open F, ">", "/tmp/head"; print F $head; open F, ">", "/tmp/body"; print F $body;' &
receiver=$!
drop_in LoadCredential=chat:/etc/tminus.secrets/chat
cat >$config/secret.yaml <<'YAML'
sinks:
  chat: { webhook: "http://127.0.0.1:9109/", secret: { credential: chat } }
  hook: { shell: 'printf %s "$CHAT" | sha256sum >"$TMINUS_STATE/secret"', environment: { CHAT: { credential: chat } } }
timers:
  secret: { duration: 1s, on-expiry: [hook, chat] }
YAML
both_delivered() { [ "$(tminus why secret 2>/dev/null | grep -cE 'secret expiry to (hook|chat): delivered ')" = 2 ]; }
until_true 20 both_delivered
wait $receiver
is "$(cat $state/secret)" "$(sha256sum </etc/tminus.secrets/chat)"
header() { sed -n "s/^$1: *\([^\r]*\)\r*$/\1/Ip" /tmp/head; }
{ printf '%s.%s.' "$(header webhook-id)" "$(header webhook-timestamp)"; cat /tmp/body; } >/tmp/signed
signature=$(openssl dgst -sha256 -hmac "$(cat /etc/tminus.secrets/chat)" -binary /tmp/signed | base64)
is "$(header webhook-signature)" "v1,$signature"
rm $config/secret.yaml
without_drop_in
passed

step "a command that the strict profile forbids fails, and names the drop-in that lets it pass"
# The priority for the disk is one of @resources; other processes are seen in the wider profile only.
printf 'timers:\n  third: { duration: 1s, on-expiry: [{ shell: "ionice -c 2 -n 7 cat /proc/1/comm" }] }\n' >$config/third.yaml
until_true 20 logged "delivery is dead attempt=1 definition.id=third"
tminus why third >/tmp/said
says "ionice: ioprio_set failed: Operation not permitted" /tmp/said
says "the strict profile of tminus.service forbids it" /tmp/said
says "link /usr/share/tminus/tminus-commands.conf into /etc/systemd/system/tminus.service.d, and restart" /tmp/said
tminus status >/tmp/said 2>&1 || true
says strict /tmp/said
passed

step "the drop-in for commands, as Operating says: the same command succeeds"
block $articles/Operating.md "systemctl daemon-reload && systemctl restart tminus" >/tmp/commands
says tminus-commands.conf /tmp/commands
bash -e /tmp/commands
until_true 20 tminus show far >/dev/null
tminus fire third >/tmp/said
tminus deliveries retry --definition third >/dev/null
until_true 20 delivered third
rm $config/third.yaml /etc/systemd/system/tminus.service.d/tminus-commands.conf
systemctl daemon-reload
systemctl restart tminus
until_true 20 tminus show far >/dev/null
is "$(due)" "$far"
passed
