#!/bin/sh
# Appends a line of text for each delivery.
#
#   on-expiry: [{ shell: ./log-line.sh, environment: { TMINUS_LOG: /var/log/countdowns.log } }]
#
# The delivery is in TMINUS_... variables and, as JSON, on standard input.
set -eu
printf '%s %s: %s\n' "$TMINUS_DUE" "$TMINUS_ID" "$TMINUS_MESSAGE" >>"${TMINUS_LOG:-$HOME/tminus.log}"
