#!/bin/sh
# A notification on the desktop, by notify-send(1) of the package libnotify-bin.
#
#   on-reminder: [{ shell: ./desktop-notification.sh }]
#
# Exit status 75 (EX_TEMPFAIL) asks for another attempt: without a session bus there may be one later.
set -eu
[ -n "${DBUS_SESSION_BUS_ADDRESS:-}" ] || exit 75
exec notify-send --app-name=tminus --urgency=normal -- "$TMINUS_NAME" "$TMINUS_MESSAGE"
