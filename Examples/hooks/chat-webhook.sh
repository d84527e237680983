#!/bin/sh
# Posts a message with curl(1) to a chat that takes {"text": ...}, such as Slack or Mattermost.
#
#   on-expiry: [{ shell: ./chat-webhook.sh, environment: { CHAT_URL_FILE: /etc/tminus/chat-url } }]
#
# The URL is a secret. It is read from a file and passed to curl on standard input, so no process listing shows it. python3 quotes
# the message, so a name with a quote cannot break the JSON.
set -eu
: "${CHAT_URL_FILE:?is not set}"
[ -r "$CHAT_URL_FILE" ] || {
    echo "$CHAT_URL_FILE cannot be read" >&2
    exit 1
}
body=$(python3 -c 'import json, os; print(json.dumps({"text": os.environ["TMINUS_MESSAGE"]}))')
status=$(printf 'url = "%s"\n' "$(cat "$CHAT_URL_FILE")" |
    curl --config - --silent --show-error --max-time 10 --output /dev/null --write-out '%{http_code}' \
        --header 'Content-Type: application/json' \
        --header "Idempotency-Key: $TMINUS_DELIVERY" \
        --data-binary "$body") || [ "$status" = 000 ] || exit 75
# 75 (EX_TEMPFAIL) asks for a retry, any other status is final.
case $status in
2??) ;;
000 | 408 | 425 | 429 | 5??) exit 75 ;;
*)
    echo "the chat answered $status" >&2
    exit 1
    ;;
esac
