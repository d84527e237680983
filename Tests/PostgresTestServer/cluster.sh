#!/bin/sh
# Runs a PostgreSQL server of its own, on a socket in a directory, until its standard input ends.
# usage: cluster.sh DIRECTORY
# Prints `ready`, or what is missing. Then it takes the lines `stop`, `start`, `clock SECONDS`, `standby` and `promote`, and prints `done`
# after each. A standby has what the server has now, and follows it no further; `promote` puts it in the place of the server.
# The clock of the server can be set, by so many seconds from that of the machine, if CLOCK is in the environment. Its steady clock stays.
set -eu
directory=$1
bin=$(find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)
if [ -z "$bin" ]; then
    echo "PostgreSQL is not installed: apt-get install postgresql"
    exit 0
fi
# The server refuses to run as root.
as=
if [ "$(id -u)" -eq 0 ]; then
    as="setpriv --reuid=postgres --regid=postgres --clear-groups"
    chown postgres:postgres "$directory"
fi
preload=
if [ -n "${CLOCK-}" ]; then
    library=$(find /usr/lib -name libfaketime.so.1 2>/dev/null | head -n 1)
    if [ -z "$library" ]; then
        echo "libfaketime is not installed: apt-get install libfaketime"
        exit 0
    fi
    preload="env LD_PRELOAD=$library FAKETIME_TIMESTAMP_FILE=$directory/clock FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1"
fi
set_clock() {
    echo "$1" >"$directory/clock.new"
    mv "$directory/clock.new" "$directory/clock"
}
control() {
    # shellcheck disable=SC2086
    $as $preload "$bin/pg_ctl" -D "$directory/data" -l "$directory/log" -w -t 600 "$@" >"$directory/control" 2>&1
}
finish() {
    control -m immediate stop || true
    rm -rf "$directory"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM
cd "$directory"
# shellcheck disable=SC2086
$as "$bin/initdb" -D "$directory/data" -U tminus -A trust -E UTF8 --no-locale --no-sync >"$directory/initdb" 2>&1
cat >>"$directory/data/postgresql.conf" <<END
listen_addresses = ''
unix_socket_directories = '$directory'
max_connections = 1000
max_prepared_transactions = 10
fsync = off
log_min_messages = error
END
# One user has a password.
{ echo "local all guarded scram-sha-256"; cat "$directory/data/pg_hba.conf"; } >"$directory/rules"
cat "$directory/rules" >"$directory/data/pg_hba.conf"
set_clock +0
control start
echo ready
while read -r command; do
    case $command in
    stop) control -m immediate stop ;;
    clock*) set_clock "${command#clock }" ;;
    standby)
        # shellcheck disable=SC2086
        $as "$bin/pg_basebackup" -h "$directory" -U tminus -D "$directory/standby" -R -c fast >"$directory/control" 2>&1
        ;;
    promote)
        control -m immediate stop
        mv "$directory/data" "$directory/former"
        mv "$directory/standby" "$directory/data"
        control start
        control promote
        ;;
    *) control start ;;
    esac
    echo "done"
done
