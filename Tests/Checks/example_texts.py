"""The examples in README, the articles and the help, and where those are tried that check_examples.py cannot run."""

import json
import pathlib
import re
import shlex
import subprocess
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = [ROOT / "README.md", *sorted((ROOT / "Sources/TminusCore/TminusCore.docc").glob("*.md"))]

# The languages of fences. yaml is a definition file, yml a YAML file of another program. ExamplesTests and
# ReadmeFrameTests read yaml, json and the frame of README too.
LANGUAGES = {"sh", "console", "yaml", "yml", "json", "ini", "nginx", "caddyfile", "swift", "python", "text"}

IN_TREE, SYSTEMD = "Tests/Package/in_tree.sh", "Tests/Package/in_tree_systemd.sh"
# It runs the whole block, as the article has it.
DROP_IN = (SYSTEMD, 'block $articles/Operating.md "systemctl daemon-reload && systemctl restart tminus"')
# What needs a machine of its own, or a terminal: how it begins, and the nearest test: its file and words in it.
ELSEWHERE = {
    "apt install ./": (IN_TREE, 'dpkg -i "$current"'),
    "apt-get install ./tminus_": (IN_TREE, 'dpkg -i "$current"'),
    "apt-get install libpq5": ("scripts/setup.sh", "fleet) echo libpq5"),
    "apt remove tminus": (IN_TREE, "dpkg -r tminus"),
    "apt purge tminus": (IN_TREE, "dpkg --purge tminus"),
    "chown -R tminus: /var/lib/tminus": (IN_TREE, '"$(stat -c \'%a %U\' $state)" "700 tminus"'),
    "journalctl -fu tminus": (IN_TREE, "journalctl -u tminus"),
    "journalctl -u tminus": (IN_TREE, "journalctl -u tminus"),
    "ln -s /usr/share/tminus/tminus-commands.conf": DROP_IN,
    "loginctl enable-linger": (IN_TREE, 'systemctl start "user@'),
    "man ": ("Tests/EndToEndTests/ManualTests.swift", "generate-manual"),
    "mkdir -p /etc/systemd/system/tminus.service.d": DROP_IN,
    "rsync -a --delete": ("Tests/EndToEndTests/StandbyTests.swift", "second.scratch.config"),
    "ssh -L": ("Tests/EndToEndTests/WebCommandTests.swift", 'address.hasPrefix("http://127.0.0.1:'),
    "systemctl --user enable --now tminus": (IN_TREE, "systemctl --user enable --now tminus"),
    "systemctl daemon-reload": DROP_IN,
    "systemctl edit tminus": (SYSTEMD, "/etc/systemd/system/tminus.service.d/check.conf"),
    "systemctl reload": (SYSTEMD, "systemctl reload tminus"),
    "systemctl status tminus": (IN_TREE, "systemctl status tminus"),
    "systemd-analyze security": ("Tests/Package/check_units.py", '"systemd-analyze", "security"'),
    "tminus restore --resume": ("Tests/EndToEndTests/BackupCommandTests.swift", '"restore", "--resume"'),
    "tminus watch": ("Tests/EndToEndTests/WatchDaemonTests.swift", r'"exec \(Program.tminus) watch --state '),
}


class Block(NamedTuple):
    """A fenced block: where its fence is, the word behind it, and the content without the indentation of the fence."""

    file: str
    line: int
    language: str
    text: str

    def __str__(self):
        return f"{self.file}:{self.line}"


def blocks(path):
    text = path.read_text()
    for found in re.finditer(r"^( *)```(\S*)\n(.*?)^\1```$", text, re.M | re.S):
        content = re.sub(rf"^{found[1]}", "", found[3], flags=re.M)
        yield Block(path.name, text.count("\n", 0, found.start()) + 1, found[2], content)


def commands(text):
    """The command lines of a block for a shell: one with a here-document is one command, with its lines."""
    lines = iter(text.splitlines())
    for line in lines:
        if end := re.search(r"<<'(\w+)'", line):
            body = list(iter(lambda: next(lines), end[1]))
            yield "\n".join([line, *body, end[1]])
        elif line.strip():
            yield re.sub(r"\s+#.*", "", line)


def parts(command):
    """What stands between &&, without sudo."""
    return [re.sub(r"(^|\| )sudo ", r"\1", part.strip()) for part in command.split(" && ")]


def spans(path):
    """The code in running text, as words with one space between."""
    text = re.sub(r"^( *)```.*?^\1```$", "", path.read_text(), flags=re.M | re.S)
    for paragraph in text.split("\n\n"):
        for found in re.finditer(r"(?<!`)`([^`]+)`(?!`)", paragraph):
            yield " ".join(found[1].replace("\\|", "|").split())


class Help:
    """The commands of the program, by `--experimental-dump-help`."""

    def __init__(self, program):
        dump = subprocess.run([program, "--experimental-dump-help"], capture_output=True, check=True, timeout=60)
        self.root = json.loads(dump.stdout)["command"]
        self.names = {command["commandName"] for command in self.root["subcommands"]}

    def examples(self, start, command=None):
        """The examples in the help that begin so."""
        command = command or self.root
        lines = command.get("discussion", "").splitlines()
        below = [line for child in command.get("subcommands", []) for line in self.examples(start, child)]
        return [line.strip() for line in lines if line.startswith("  " + start)] + below

    def fault(self, words):
        """What a command line has that the program does not know; None if it knows all."""
        command, words = self.root, [word.strip("[]") for word in words]
        while words:
            alternatives = words[0].split("/")
            found = [child for child in command.get("subcommands", []) if child["commandName"] in alternatives]
            if not found:
                break
            command, words = found[-1], words[1:]
        if command is self.root and words and not words[0].startswith("-"):
            return f"no command '{words[0]}'"
        if (default := command.get("defaultSubcommand")) and words:
            command = next(child for child in command["subcommands"] if child["commandName"] == default)
        known = {("--" if name["kind"] == "long" else "-") + name["name"]
                 for argument in command["arguments"] for name in argument.get("names", [])}
        unknown = [word for word in words if word.startswith("-") and word.split("=")[0] not in known]
        return f"no option {unknown[0]}" if unknown else None


def words_of(span):
    try:
        return shlex.split(span)
    except ValueError:
        return span.split()


def has_placeholder(span):
    return any(re.search(r"^[A-Z]+$|[\[\]…]|\.\.\.", word) for word in words_of(span.split(" | ")[0]))


def make_fault(words):
    """What a command line of make has that the Makefile does not."""
    makefile = (ROOT / "Makefile").read_text()
    for word in words[1:]:
        name = word.split("=")[0]
        if not re.search(rf"\b{name}\b" if "=" in word else rf"^{re.escape(name)}:.*## ", makefile, re.M):
            return f"the Makefile has no {name}"
    return None


def elsewhere(command, used):
    """Whether the table names the nearest test; `used` gets the entry."""
    found = [start for start in ELSEWHERE if command.startswith(start)]
    used.update(found)
    return bool(found)


def elsewhere_faults(used):
    """The entries that match nothing, and those whose file does not do what they say."""
    faults = [f"ELSEWHERE: no example begins with '{start}'" for start in ELSEWHERE if start not in used]
    for start, (file, words) in ELSEWHERE.items():
        if not (ROOT / file).is_file() or words not in (ROOT / file).read_text():
            faults.append(f"ELSEWHERE: '{start}': {file} has no '{words}'")
    return faults
