#!/bin/sh
# Shows a desktop notification with notify-send(1), of the package libnotify-bin.
#
#   on-reminder: [{ shell: ./desktop-notification.sh }]
#
# Without a session bus, exit status 75 (EX_TEMPFAIL) asks for a retry: there may be one later.
set -eu
[ -n "${DBUS_SESSION_BUS_ADDRESS:-}" ] || exit 75
exec notify-send --app-name=tminus --urgency=normal -- "$TMINUS_NAME" "$TMINUS_MESSAGE"
