# What every script of the matrix can use. The working directory is the place of the row; `t` is usually watched.

# item ID NAME: a definition file with one timer.
item() { printf 'timers:\n  %s:\n    name: %s\n    duration: 2 hours\n' "$1" "$2"; }

# more ID NAME: one more timer, to be appended to such a file.
more() { printf '  %s:\n    name: %s\n    duration: 2 hours\n' "$1" "$2"; }

# age: makes everything look as if nobody had touched it for an hour.
age() { find . -exec touch -h -d '1 hour ago' {} +; }

# await COMMAND: waits until it succeeds.
await() { until "$@" > .null 2>&1; do sleep 0.02; done; }

# saves COMMAND ARGUMENTS: a save that no shell command makes.
saves() { python3 "$TOOLS/saves.py" "$@"; }

# An editor in a terminal: `term COMMAND` starts it in `t`, `shown TEXT` and `hidden TEXT` wait for its screen,
# `keys NAMES` types, `closed` waits for its end.
terminal() { tmux -S "$PLACE/.terminal" "$@"; }
term() { terminal -f /dev/null new-session -d -x 80 -y 24 -c "$PLACE/t" "$*"; }
shows() { terminal capture-pane -p | grep -q -e "$1"; }
hidden() { while shows "$1"; do sleep 0.02; done; }
shown() { await shows "$1"; }
keys() { terminal send-keys "$@"; }
open() { terminal has-session; }
closed() { while open > .null 2>&1; do sleep 0.02; done; }

# rename: in the standard place, makes the timer of a.yaml `new` by the cursor keys, which every editor knows.
rename() { keys Down Down End BSpace BSpace BSpace new; }

# Git without the user's settings.
git() {
    command git -c user.name=t -c user.email=t@example.com -c init.defaultBranch=main -c core.hooksPath=/dev/null \
        -c advice.detachedHead=false "$@"
}
