#!/usr/bin/env bash
# Tries the page of a program in Chromium, or with `proxies` behind nginx and Caddy. Says so and succeeds where what it needs cannot be
# installed; with TMINUS_NEEDS_BROWSER=1 that is a failure.
# usage: check_page.sh page|proxies TMINUS ENVIRONMENT [PYTEST-OPTION...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
what=$1
program=$(realpath "$2")
environment=$3
shift 3
options=()
[ "$what" = page ] || options=("--$what")

if ! { "$here/environment.sh" "$environment" && "$here/../../scripts/setup.sh" "$what"; } >"$environment.log" 2>&1; then
    why="a program or the environment cannot be installed: $(tail -n 1 "$environment.log")"
    if [ "${TMINUS_NEEDS_BROWSER:-}" = 1 ]; then
        echo "check-$what: $why" >&2
        exit 1
    fi
    echo "check-$what: SKIPPED, no test of the page was run, because $why"
    exit 0
fi
TMINUS="$program" exec "$environment/bin/python" -m pytest -q -p no:cacheprovider -n 4 --dist worksteal "$here" "${options[@]}" "$@"
