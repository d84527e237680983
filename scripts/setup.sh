#!/usr/bin/env bash
# Installs the Debian packages that are missing, and says which.
# usage: setup.sh GROUP|PACKAGE...
set -euo pipefail

packages_of() {
    case $1 in
    build) echo libinotifytools0-dev libpq-dev libsqlite3-dev nettle-dev tzdata zlib1g-dev ;;
    test) echo curl jq libfaketime openssl pgbouncer postgresql procps python3 python3-venv sqlite3 tmux vim ;;
    fleet) echo libpq5 postgresql ;;
    page) echo chromium-headless-shell python3 python3-venv ;;
    proxies) echo caddy nginx-light openssl ;;
    metrics) echo e2fsprogs prometheus python3 python3-venv ;;
    lint) echo python3 python3-venv shellcheck ;;
    calls) echo gcc libc6-dev python3 ;;
    bench) echo gcc libc6-dev libpq-dev nginx-light postgresql python3 wrk ;;
    package) echo debhelper lintian ;;
    image) echo mmdebstrap umoci ;;
    package-test) echo binutils mmdebstrap python3 systemd systemd-container ;;
    peers) echo cron gcc golang-github-robfig-cron-dev golang-go libc6-dev python3 python3-venv remind ;;
    *) echo "$1" ;;
    esac
}

command -v swift >/dev/null || {
    echo "setup: no Swift toolchain on the PATH; install Swift 6.2 or later from swift.org" >&2
    exit 1
}
# One at a time: targets of make that run side by side may need packages at once. A server that a package starts must not
# keep the lock, so apt does not inherit the descriptor.
exec 9<"$0"
flock 9
missing=()
for package in $(for word in "$@"; do packages_of "$word"; done | tr ' ' '\n' | sort -u); do
    status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
    [ "$status" = "install ok installed" ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

echo "setup: installing the Debian packages: ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
        echo "setup: run this as root: apt-get install --no-install-recommends ${missing[*]}" >&2
        exit 1
    }
    # sudo resets the environment, and a package that asks a question would wait for an answer unseen.
    as_root=(sudo env DEBIAN_FRONTEND=noninteractive)
fi
export DEBIAN_FRONTEND=noninteractive
# Not the recommended packages: cron would bring a mail server.
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null 2>&1 9<&- || {
    "${as_root[@]}" apt-get update -qq 9<&-
    "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" 9<&-
}
