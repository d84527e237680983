#!/bin/sh
# A tminus plug-in that appends a line of text for each delivery. It needs only /bin/sh and sed.
#
#   sinks:
#     log:
#       plugin: ./text-log.sh
#       environment: { LOG_FILE: ../var/deliveries.log }
#
# A shell has no JSON parser. The parsing below is safe only for the lines that tminus writes:
#
# - A delivery is one line that begins with {"deliver":{"specversion":"1.0","id":"... An id contains no character that JSON escapes,
#   so cutting it out is exact.
# - "message" is the last member of "data", so it stands between the last "message":" and the end of the line. Inside a JSON text
#   every quote is written \", so a text never contains "message":" with bare quotes.
# - Of the escapes in the message, \" \\ and \/ are undone, \n and \t become a space, and \u.... stays as it is. So control characters
#   appear as in the JSON.
# - "config" is ignored; the environment names the file. If you need more of the payload, use jq(1) or another language.
set -eu
file=${LOG_FILE:?is not set}

IFS= read -r hello
case $hello in
*'"hello":1'*) ;;
*)
    echo "this plug-in speaks version 1 of the protocol" >&2
    exit 1
    ;;
esac
echo '{"ready":1,"name":"text-log","max-concurrent":1}'

while IFS= read -r line; do
    case $line in
    '{"deliver":{"specversion":"1.0","id":"'*) ;;
    *)
        echo "this is no delivery" >&2
        continue
        ;;
    esac
    id=${line#*'"id":"'}
    id=${id%%'"'*}
    # printf, because the echo of some shells interprets escapes.
    text=$(printf '%s\n' "$line" | sed -e 's/.*,"message":"//' -e 's/"}}}$//' \
        -e 's/\\\\/\\u005c/g' -e 's/\\[nrt]/ /g' -e 's/\\\(["/]\)/\1/g' -e 's/\\u005c/\\/g')
    # If the disk is full, ask for a retry instead of losing the delivery.
    if printf '%s %s\n' "$id" "$text" >>"$file"; then
        printf '{"id":"%s","outcome":"delivered"}\n' "$id"
    else
        printf '{"id":"%s","outcome":"retry","after":5,"reason":"the file cannot be written"}\n' "$id"
    fi
done
