# What every script of the matrix can use. The working directory is the place of the row; `t` is usually watched.
# shellcheck shell=bash disable=SC2034

# item ID NAME: a definition file with one timer.
item() { printf 'timers:\n  %s:\n    name: %s\n    duration: 2 hours\n' "$1" "$2"; }

# more ID NAME: one more timer, to be appended to such a file.
more() { printf '  %s:\n    name: %s\n    duration: 2 hours\n' "$1" "$2"; }

# age: makes everything look as if nobody had touched it for an hour.
age() { find . -exec touch -h -d '1 hour ago' {} +; }

# still: leaves the times as they are from here on, as where a touch would copy a file to an upper layer.
still() { age() { :; }; }

# await COMMAND: waits until it succeeds, by running it again and again: files, logs and screens tell nobody.
await() { until "$@" > .null 2>&1; do sleep 0.02; done; }

# daemon ARGUMENTS: starts the program on the directory `t` and the state `s`, and waits until definitions are in force.
# Its id is $daemon, its streams are the files `out` and `err`. PREFIX goes before it: `PREFIX="setpriv ..." daemon`.
daemon() {
    mkdir -p s
    : > err
    # shellcheck disable=SC2086
    ${PREFIX-} "$TMINUS" run --config t --state s "$@" >> out 2>> err < /dev/null &
    daemon=$!
    await grep -q 'definitions in force' err
}

# finish: ends the program as a service manager does; it must do so without an error.
finish() {
    kill "$daemon"
    wait "$daemon"
}

# live TEXT: waits until standard output has it.
live() { await grep -q -- "$1" out; }

# said TEXT: waits until the log has it.
said() { await grep -q -- "$1" err; }

# expiring ID NAME SECONDS: a definition file with a timer that expires again and again.
expiring() { printf 'timers:\n  %s: { name: %s, duration: %ss, repeat: immediately }\n' "$1" "$2" "$3"; }

# descriptors PID KIND: how many descriptors of that kind (`inotify`, `eventfd`, ...) a process has.
descriptors() {
    for fd in /proc/"$1"/fd/*; do readlink "$fd" || true; done | grep -c "$2" || true
}

# odd: sets $odd to names that are unusual, in the notation of printf: a leading dash, an escaped space, bytes that are not
# UTF-8, a line break, an emoji, the same letter composed and decomposed, and a backslash.
odd() { odd='-x sp\040ace b\377 c\012d \360\237\230\200 \303\244 a\314\210 back\134\134slash'; }

# plain: prints the prefix of a command that may read no more than a plain user: root may read everything.
plain() {
    [ "$(id -u)" -ne 0 ] || echo setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search --
}

# said_times COUNT TEXT: waits, as `await` does, until so many lines of the log have it.
said_times() { until [ "$(grep -c -- "$2" err)" -ge "$1" ]; do sleep 0.02; done; }

# failing DIRECTORY POINT: mounts the directory at another place, where reading the file NAME fails while `.fail-NAME` exists.
failing() { /usr/bin/python3 "$TOOLS/failing.py" "$1" "$2" > .null 2>&1 & }

# saves COMMAND ARGUMENTS: a save that no shell command makes.
saves() { python3 "$TOOLS/saves.py" "$@"; }

# An editor in a terminal: `term COMMAND` starts it in `t`, `shown TEXT` and `hidden TEXT` wait for its screen,
# `keys NAMES` types, `closed` waits for its end.
terminal() { tmux -S "$PLACE/.terminal" "$@"; }
term() { terminal -f /dev/null new-session -d -x 80 -y 24 -c "$PLACE/t" "$*"; }
shows() { terminal capture-pane -p | grep -q -e "$1"; }
# As `await`.
hidden() { while shows "$1"; do sleep 0.02; done; }
shown() { await shows "$1"; }
keys() { terminal send-keys "$@"; }
open() { terminal has-session; }
# As `await`.
closed() { while open > .null 2>&1; do sleep 0.02; done; }

# rename: in the standard place, makes the timer of a.yaml `new` by the cursor keys, which every editor knows.
rename() { keys Down Down End BSpace BSpace BSpace new; }

# Git without the user's settings.
git() {
    command git -c user.name=t -c user.email=t@example.com -c init.defaultBranch=main -c core.hooksPath=/dev/null \
        -c advice.detachedHead=false "$@"
}
