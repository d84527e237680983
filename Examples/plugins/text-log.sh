#!/bin/sh
# A tminus plug-in that adds a line of text for each delivery. /bin/sh and sed, nothing else.
#
#   sinks:
#     log:
#       plugin: ./text-log.sh
#       environment: { LOG_FILE: ../var/deliveries.log }
#
# A shell has no JSON parser. What this one does is safe for what tminus writes, and for that alone:
#
# - A delivery is one line that begins with {"deliver":{"specversion":"1.0","id":"...", and an id has no character to escape. So the
#   id is cut out exactly.
# - "message" is the last member of "data", so it is what stands between the last "message":" that is no part of a text and the end.
#   Inside a text each quote is written \", so "message":" with bare quotes is never part of one.
# - Of the escapes of a text \" \\ and \/ are undone, \n and \t become a space; \u.... stays as it is. A name with control characters
#   shows as in the JSON.
# - "config" is not read; the file comes by the environment. A plug-in that needs more of the payload is better written with jq(1) or in
#   another language.
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
    # printf, because echo of some shells undoes escapes.
    text=$(printf '%s\n' "$line" | sed -e 's/.*,"message":"//' -e 's/"}}}$//' \
        -e 's/\\\\/\\u005c/g' -e 's/\\[nrt]/ /g' -e 's/\\\(["/]\)/\1/g' -e 's/\\u005c/\\/g')
    # A full disk is no reason to lose the delivery.
    if printf '%s %s\n' "$id" "$text" >>"$file"; then
        printf '{"id":"%s","outcome":"delivered"}\n' "$id"
    else
        printf '{"id":"%s","outcome":"retry","after":5,"reason":"the file cannot be written"}\n' "$id"
    fi
done
