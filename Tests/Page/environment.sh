#!/usr/bin/env bash
# Installs Chromium and makes the environment of the browser tests.
# usage: environment.sh DIRECTORY
set -euo pipefail
environment=$1
"$(dirname "$0")/../../scripts/setup.sh" page
[ ! -e "$environment/done" ] || exit 0
python3 -m venv "$environment"
"$environment/bin/pip" install --quiet --disable-pip-version-check \
    playwright==1.65.2 axe-playwright-python==0.1.8 pytest==9.2.0 pytest-xdist==3.8.0
touch "$environment/done"
