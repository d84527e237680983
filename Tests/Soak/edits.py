"""What people do to the files of soak_watch.py besides saving them, and faults."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

from saves import Saves


class Edits(Saves):
    """Renames, moves, deletes and creates files."""

    def sed(self):
        name = self.pick()
        if not name.endswith(".yaml"):
            return
        self.number += 1
        self.note(f"sed -i {name}")
        subprocess.run(["sed", self.chance.choice(["-i", "-i.bak"]), f"1s/.*/# sed {self.number}/", self.path(name)],
                       check=True)

    def append(self):
        name = self.pick()
        if not name.endswith(".yaml") or not self.files[name]:
            return
        self.number += 1
        id = f"far-{self.number}"
        self.files[name][id] = "2099-03-01"
        self.note(f"append {name}")
        with open(self.path(name), "a") as file:
            file.write(f"  {id}: {{ at: 2099-03-01, on-expiry: [file] }}\n")

    def touch(self):
        name = self.pick()
        self.note(f"touch, chmod {name}")
        os.utime(self.path(name))
        self.path(name).chmod(0o600)
        self.path(name).chmod(0o644)

    def rename(self):
        name = self.pick()
        self.number += 1
        new = f"{pathlib.PurePath(name).parent}/r{self.number}{pathlib.PurePath(name).suffix}".removeprefix("./")
        self.note(f"rename {name} {new}")
        self.risk([name], 1)
        os.rename(self.path(name), self.path(new))
        self.files[new] = self.files.pop(name)

    def move_out_and_in(self):
        name = self.pick()
        gap = self.chance.choice([0, 0.1, 0.5])
        self.note(f"move out and in after {gap} s: {name}")
        self.risk([name], gap + 1)
        os.rename(self.path(name), self.outside / "moved")
        # The gap is the edit: the file is away for a while.
        time.sleep(gap)
        os.rename(self.outside / "moved", self.path(name))

    def delete(self):
        if len(self.files) < 8:
            return
        name = self.pick()
        self.note(f"delete {name}")
        self.risk([name], 1e9)
        self.path(name).unlink()
        del self.files[name]

    def create(self):
        if len(self.files) > 30:
            return
        self.number += 1
        directory = self.chance.choice(["", "", f"d{self.number % 3}/", f"d{self.number % 3}/s/u/"])
        name = f"{directory}n{self.number}{self.chance.choice(['.yaml', '.yaml', '.yml', '.json'])}"
        self.files[name] = {}
        self.change(name)
        self.note(f"create {name}")
        self.path(name).parent.mkdir(parents=True, exist_ok=True)
        self.path(name).write_text(self.text(name))

    def move_definition(self):
        """Moves a definition from one file to another, in two saves in either order."""
        names = [name for name in self.files if name not in self.broken and self.files[name]]
        if len(names) < 2:
            return
        source, target = self.chance.sample(names, 2)
        id = self.chance.choice(list(self.files[source]))
        self.note(f"move {id} from {source} to {target}")
        self.risk([source], 1)
        self.files[target][id] = self.files[source].pop(id)
        order = [source, target] if self.chance.random() < 0.5 else [target, source]
        for name in order:
            self.path(name).write_text(self.text(name))
            # A pause of random length, in which both files or none have it.
            time.sleep(self.chance.choice([0, 0.1]))

    def rename_directory(self):
        directories = [path for path in self.config.glob("d*") if path.is_dir()]
        if not directories:
            return
        directory = self.chance.choice(directories)
        self.number += 1
        new = f"d{self.number % 3}-{self.number}"
        inside = [name for name in self.files if name.startswith(directory.name + "/")]
        if any(name in self.broken for name in inside):
            return
        gap = self.chance.choice([None, 0, 0.4])
        self.note(f"directory {directory.name} {'renamed ' + new if gap is None else f'out and in after {gap} s'}")
        self.risk(inside, 2)
        if gap is None:
            os.rename(directory, self.config / new)
            for name in inside:
                self.files[new + name[len(directory.name):]] = self.files.pop(name)
            return
        os.rename(directory, self.outside / "directory")
        # The gap is the edit: the directory is away for a while.
        time.sleep(gap)
        os.rename(self.outside / "directory", directory)


class Trees(Edits):
    """Changes whole directories at once: a volume as Kubernetes swaps it, and a working copy of git."""

    def prepare_volume(self):
        self.volume = self.config / "volume"
        self.volume.mkdir()
        self.swap_volume(first=True)
        for name in ["one.yaml", "two.yaml"]:
            os.symlink(f"..data/{name}", self.volume / name)

    def swap_volume(self, first=False):
        self.note("swap of a volume")
        self.number += 1
        new = self.volume / f"..{self.number}"
        new.mkdir()
        for name in ["one", "two"]:
            (new / f"{name}.yaml").write_text(
                f"events: {{ volume-{name}: {{ at: 2099-01-01 0{self.number % 10}:00, on-expiry: [file] }} }}\n")
        old = None if first else os.readlink(self.volume / "..data")
        os.symlink(new.name, self.volume / "..data_tmp")
        os.replace(self.volume / "..data_tmp", self.volume / "..data")
        if old:
            shutil.rmtree(self.volume / old)

    def git(self, *arguments):
        subprocess.run(
            ["git", "-c", "user.name=soak", "-c", "user.email=soak@example.com", "-c", "core.autocrlf=false",
             *arguments],
            cwd=self.config / "repository", check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def prepare_repository(self):
        repository = self.config / "repository"
        repository.mkdir()
        self.git("init", "-b", "one")
        for branch, hour in [("one", 1), ("two", 2)]:
            if branch == "two":
                self.git("checkout", "-b", branch)
                (repository / "g0.yaml").unlink()
            for n in range(1 if branch == "two" else 0, 20):
                (repository / f"g{n}.yaml").write_text(
                    f"events: {{ git-{n}: {{ at: 2099-01-01 0{hour}:00, on-expiry: [file] }} }}\n")
            self.git("add", "-A")
            self.git("commit", "-m", branch)

    def checkout(self):
        branch = self.chance.choice(["one", "two"])
        self.note(f"git checkout {branch}")
        self.git("checkout", branch)


class Faults(Trees):
    """Breaks files, and disturbs the daemon."""

    def foreign_files(self):
        self.note("foreign files")
        for n in range(200):
            path = self.config / f"{n % 7}.log"
            path.write_text("x")
            os.rename(path, f"{path}.1")
        for n in range(7):
            (self.config / f"{n}.log.1").unlink(missing_ok=True)

    def hang_ups(self):
        self.note("hang-ups")
        for _ in range(self.chance.randint(1, 20)):
            self.daemon.process.send_signal(signal.SIGHUP)
            # The next signal comes at a random moment of the reload.
            time.sleep(self.chance.choice([0, 0.001, 0.01]))

    def stop_and_go_on(self):
        self.note("stop, an edit, go on")
        self.daemon.process.send_signal(signal.SIGSTOP)
        try:
            self.edit_and_save()
            # How long it is stopped is the test.
            time.sleep(self.chance.uniform(0, 0.7))
        finally:
            self.daemon.process.send_signal(signal.SIGCONT)

    def briefly_broken(self):
        """An editor that saves half of something, and the rest a moment later."""
        name = self.pick()
        content = self.text(name)
        self.note(f"briefly broken {name}")
        self.path(name).write_text(self.chance.choice(["events: [", content + "nonsense: 1\n", "\x00", "a: b: c\n"]))
        # The moment for which it is broken is the edit.
        time.sleep(self.chance.choice([0, 0.02, 0.2]))
        self.path(name).write_text(content)

    def break_file(self):
        """Breaks a file right after a check, so that it is known what stays in force."""
        name = self.pick()
        if not self.path(name).exists():
            return
        digest = self.digest(self.path(name).read_bytes())
        fault = self.chance.choice(["syntax", "schema", "pipe", "directory", "huge", "bytes", "socket"])
        self.note(f"break {name}: {fault}")
        self.broken[name] = digest
        path = self.path(name)
        if fault in ("syntax", "schema", "huge", "bytes"):
            path.write_bytes({
                "syntax": b"events: { a: [\n", "schema": b"evnets: {}\n", "huge": b"# x\n" * (1 << 19),
                "bytes": b"events:\n  \xff\xfe: {}\n",
            }[fault])
            return
        other = self.outside / "fault"
        if fault == "pipe":
            os.mkfifo(other)
        elif fault == "directory":
            path.unlink()
            path.mkdir()
            return
        else:
            # The path of a socket has at most 107 bytes.
            here = os.getcwd()
            os.chdir(self.outside)
            with socket.socket(socket.AF_UNIX) as made:
                made.bind("fault")
            os.chdir(here)
        os.replace(other, path)

    def mend(self):
        for name in list(self.broken):
            self.note(f"mend {name}")
            path = self.path(name)
            if path.is_dir():
                path.rmdir()
            elif not path.is_file():
                path.unlink()
            path.write_text(self.text(name))
            del self.broken[name]
