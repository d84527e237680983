# What every script of the matrix can use. The working directory is the place of the row; `t` is usually watched.

# item ID NAME: a definition file with one timer.
item() { printf 'timers:\n  %s:\n    name: %s\n    duration: 2 hours\n' "$1" "$2"; }

# more ID NAME: one more timer, to be appended to such a file.
more() { printf '  %s:\n    name: %s\n    duration: 2 hours\n' "$1" "$2"; }

# age: makes everything look as if nobody had touched it for an hour.
age() { find . -exec touch -h -d '1 hour ago' {} +; }

# await COMMAND: waits until it succeeds.
await() { until "$@" > .null 2>&1; do sleep 0.02; done; }
