#!/usr/bin/env bash
# Runs a command in a copy of the sources that appears at /usr/src/tminus, for this command only. Two packages of one
# commit are the same byte for byte only if they are built at one path: the compiler keeps the length of some paths.
# usage: at-fixed-path.sh DIRECTORY COMMAND...
set -euo pipefail
directory=$(cd "$1" && pwd)
shift
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(--map-root-user)
exec unshare --mount "${as_root[@]}" bash -euc '
    # On the file system in memory the directory can be made, whoever runs this; DIRECTORY may itself be below it.
    exec 3<"$1"
    shift
    mount -t tmpfs tmpfs /usr/src
    mkdir /usr/src/tminus
    mount --bind /proc/self/fd/3 /usr/src/tminus
    exec 3<&-
    cd /usr/src/tminus
    exec "$@"' at-fixed-path "$directory" "$@"
