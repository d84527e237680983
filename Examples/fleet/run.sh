#!/usr/bin/env bash
# Runs a fleet on this machine: a PostgreSQL server of its own and three daemons, one of which leads.
# Ctrl-C ends everything and removes it. README.md says what to try.
# usage: run.sh [TMINUS]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tminus=$(command -v "${1:-tminus}") || { echo "fleet: no program ${1:-tminus}" >&2; exit 1; }
postgres=$(find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1) || true
[ -n "$postgres" ] || { echo "fleet: install PostgreSQL: apt-get install postgresql" >&2; exit 1; }

# The server refuses to run as root.
as_server=()
root=$(mktemp -d "${TMPDIR:-/tmp}/tminus-fleet-XXXXXX")
mkdir -m 700 "$root/server"
if [ "$(id -u)" -eq 0 ]; then
    as_server=(setpriv --reuid=postgres --regid=postgres --clear-groups)
    chown postgres:postgres "$root/server"
    chmod 711 "$root"
fi
# Bash says in its own words which daemon was killed: not to the user.
exec 3>&2 2>"$root/messages.txt"
machines=(a b c)
declare -A process ended

server() {
    (cd "$root/server" && "${as_server[@]}" "$postgres/$1" -D "$root/server/data" "${@:2}" >"$root/server.txt" 2>&1)
}

# Ends the daemons first: they store what is in hand.
finish() {
    trap '' INT TERM HUP
    local machine
    for machine in "${!process[@]}"; do kill "${process[$machine]}" || true; done
    # One that was stopped would wait for ever.
    for machine in "${!process[@]}"; do kill -CONT "${process[$machine]}" || true; done
    for machine in "${!process[@]}"; do wait "${process[$machine]}" || true; done
    [ ! -e "$root/server/data/postmaster.pid" ] || server pg_ctl -w -m fast stop || true
    rm -rf "$root"
}

# Each has a state directory of its own. On several machines each has a copy of the config directory, too.
start() {
    # In a session of its own, so that Ctrl-C reaches this script only; it ends with this script, however that ends.
    setsid setpriv --pdeathsig TERM "$tminus" run --config "$here/config" --state "$root/$1" --standby \
        --store "postgresql://tminus@/postgres?host=$root/server" 2>>"$root/$1.log" &
    process[$1]=$!
    ended[$1]=
}

leader() {
    local machine
    for machine in "${!process[@]}"; do
        # One that was stopped does not answer.
        if timeout 2 "$tminus" status --state "$root/$machine" --ready >"$root/status" 2>&1; then echo "$machine"; return; fi
    done
}

# A daemon that ended is started again 20 seconds later, so that another one has taken over by then.
keep() {
    local machine
    for machine in "${machines[@]}"; do
        kill -0 "${process[$machine]}" && continue
        if [ -z "${ended[$machine]}" ]; then
            ended[$machine]=$SECONDS
            echo "fleet: $machine has ended; it is started again in 20 s"
        elif [ $((SECONDS - ended[$machine])) -ge 20 ]; then
            start "$machine"
            echo "fleet: $machine is started again, process ${process[$machine]}"
        fi
    done
}

# A machine of its own, with a copy of the files and a label. It is not started again.
show() {
    cat <<END
fleet: ask any of them: $1 status --state $root/a
fleet: edit the files in $here/config
fleet: a fourth machine, with files of its own and a label:
    cp -r $here/config $root/files
    $1 run --config $root/files --state $root/d --label backup --standby \\
        --store 'postgresql://tminus@/postgres?host=$root/server'
fleet: end all with Ctrl-C, or with: kill -INT $$
END
}

trap finish EXIT
trap 'exit 0' INT
trap 'exit 143' TERM HUP

echo "fleet: starts a database and three daemons in $root"
server initdb -U tminus -A trust -E UTF8 --no-locale --no-sync || { cat "$root/server.txt" >&3; exit 1; }
# Nobody but the user of this script and root may connect.
cat >>"$root/server/data/postgresql.conf" <<END
listen_addresses = ''
unix_socket_directories = '$root/server'
unix_socket_permissions = 0700
END
server pg_ctl -l "$root/server/log" -w start || { cat "$root/server.txt" >&3; exit 1; }

known=
for machine in "${machines[@]}"; do
    start "$machine"
    # The first makes the schema, and leads.
    until [ -n "$known" ]; do
        kill -0 "${process[$machine]}" || { cat "$root/$machine.log" >&3; exit 1; }
        known=$(leader)
        sleep 0.2
    done
done
for machine in "${machines[@]}"; do echo "fleet: $machine is process ${process[$machine]}, its log $root/$machine.log"; done
show "$tminus"
known=
while true; do
    now=$(leader)
    if [ -n "$now" ] && [ "$now" != "$known" ]; then
        echo "fleet: $now leads. Kill it, and another takes over within 12 s: kill -9 ${process[$now]}"
        known=$now
    fi
    keep
    sleep 1
done
