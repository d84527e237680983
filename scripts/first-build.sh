#!/usr/bin/env bash
# Says what a build will take if nothing is built yet. usage: first-build.sh DIRECTORY
set -euo pipefail
[ -e "$1" ] || echo "The first build takes about 6 to 15 minutes on two cores and about 3 GB of disk in .build; it needs the network."
