#!/bin/sh
# A message to a chat that takes {"text": ...}, as Slack and Mattermost do, by curl(1).
#
#   on-expiry: [{ shell: ./chat-webhook.sh, environment: { CHAT_URL_FILE: /etc/tminus/chat-url } }]
#
# The URL is a secret, so it is read from a file and given to curl on standard input: it is in no process listing. The message
# is quoted by python3, so that a name with a quote cannot break the JSON.
set -eu
body=$(python3 -c 'import json, os; print(json.dumps({"text": os.environ["TMINUS_MESSAGE"]}))')
printf 'url = "%s"\n' "$(cat "$CHAT_URL_FILE")" |
    curl --config - --fail --silent --show-error --max-time 10 \
        --header 'Content-Type: application/json' \
        --header "Idempotency-Key: $TMINUS_DELIVERY" \
        --data-binary "$body" || exit 75
