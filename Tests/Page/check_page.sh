#!/usr/bin/env bash
# Tries the page of a program in Chromium. Says so and succeeds where Chromium cannot be installed.
# usage: check_page.sh TMINUS ENVIRONMENT [PYTEST-OPTION...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$1")
environment=$2
shift 2

if ! "$here/environment.sh" "$environment" >"$environment.log" 2>&1; then
    echo "check-page: skipped, because Chromium or its environment cannot be installed: $(tail -n 1 "$environment.log")"
    exit 0
fi
TMINUS="$program" exec "$environment/bin/python" -m pytest -q -p no:cacheprovider -n 2 "$here" "$@"
