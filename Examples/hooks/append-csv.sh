#!/bin/sh
# Appends a row to a CSV file (RFC 4180) for each delivery: due, id, name, seconds late, delivery id.
#
#   on-expiry: [{ shell: ./append-csv.sh, environment: { CSV_FILE: /srv/log/countdowns.csv } }]
#
# The lock keeps rows whole when several deliveries run at once. A delivery may arrive twice, with the same id. If the file already
# has that id, nothing is added.
set -eu
file=${CSV_FILE:-$HOME/tminus.csv}
quote() { printf '"%s"' "$(printf '%s' "$1" | sed 's/"/""/g')"; }
exec 9>>"$file"
flock 9
grep -qF "$TMINUS_DELIVERY" "$file" && exit 0
printf '%s,%s,%s,%s,%s\n' "$TMINUS_DUE" "$TMINUS_ID" "$(quote "$TMINUS_NAME")" "$TMINUS_LATE" "$TMINUS_DELIVERY" >&9
