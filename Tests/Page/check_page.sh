#!/usr/bin/env bash
# Tries the page of a program in Chromium. Says so and succeeds where Chromium cannot be installed.
# usage: check_page.sh TMINUS ENVIRONMENT [PYTEST-OPTION...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$1")
environment=$2
shift 2

if ! "$here/../../scripts/setup.sh" page >"$environment.log" 2>&1; then
    echo "check-page: skipped, because chromium-headless-shell cannot be installed: $(tail -n 1 "$environment.log")"
    exit 0
fi
if [ ! -e "$environment/done" ]; then
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check \
        playwright==1.65.2 axe-playwright-python==0.1.8 pytest==9.2.0 pytest-xdist==3.8.0
    touch "$environment/done"
fi
TMINUS="$program" exec "$environment/bin/python" -m pytest -q -p no:cacheprovider -n 2 "$here" "$@"
