"""The definition files of soak_watch.py, and the ways to save them."""

import datetime
import json
import os
import subprocess
import time


class Saves:
    """Knows what is in each file, and saves it as one editor or another does."""

    def text(self, name):
        entries = self.files[name]
        if name.endswith(".json"):
            return json.dumps({"events": {id: {"at": at, "on-expiry": ["file"]} for id, at in entries.items()}})
        self.number += 1
        lines = [f"# {self.number}", "events:"] if entries else [f"# {self.number}"]
        return "\n".join(lines + [f"  {id}: {{ at: {at}, on-expiry: [file] }}" for id, at in entries.items()]) + "\n"

    def change(self, name):
        """Gives the file other definitions: new ones, some soon due, fewer old ones, other instants."""
        entries = self.files[name]
        now = time.time()
        for id in [id for id in entries if id in self.dues and self.dues[id] < now - 5 and self.chance.random() < 0.5]:
            del entries[id]
        for id in [id for id in entries if id not in self.dues]:
            if self.chance.random() < 0.2:
                del entries[id]
            elif self.chance.random() < 0.2:
                entries[id] = f"2099-01-{self.chance.randint(1, 28):02}"
        while len(entries) < self.chance.randint(1, 6):
            self.number += 1
            entries[f"far-{self.number}"] = f"2099-02-{self.chance.randint(1, 28):02}"
        if self.chance.random() < 0.5:
            self.number += 1
            due = now + self.chance.uniform(7, 14)
            id = f"due-{self.number}"
            self.dues[id] = due
            moment = datetime.datetime.fromtimestamp(due, datetime.UTC)
            entries[id] = moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")

    def risk(self, names, span):
        """Notes events that may be missed: they are due soon, and their files are gone for so many seconds."""
        now = time.time()
        for name in names:
            for id in self.files.get(name, {}):
                if id in self.dues and now - 2 < self.dues[id] < now + span + 4:
                    self.risky.add(id)

    def pick(self):
        return self.chance.choice([name for name in self.files if name not in self.broken])

    def path(self, name):
        return self.config / name

    def save_truncate(self, name):
        self.path(name).write_text(self.text(name))

    def save_rename(self, name):
        other = self.path(name).with_suffix(self.chance.choice([".tmp", ".yaml.swp", ".bak"]))
        other.write_text(self.text(name))
        os.replace(other, self.path(name))

    def save_hidden_rename(self, name):
        other = self.path(name).with_name("." + self.path(name).name)
        other.write_text(self.text(name))
        os.replace(other, self.path(name))

    def save_sibling_rename(self, name):
        """Two files with the same ids for a moment."""
        other = self.path(name).with_name("tmp.yaml" if name.endswith(".yaml") else "tmp.json")
        other.write_text(self.text(name))
        os.replace(other, self.path(name))

    def save_chunks(self, name):
        content = self.text(name)
        third = len(content) // 3 + 1
        with open(self.path(name), "w") as file:
            for start in range(0, len(content), third):
                file.write(content[start:start + third])
                file.flush()
                # The pauses between the parts are this way to save.
                time.sleep(self.chance.choice([0, 0.005, 0.03]))

    def save_emptied_first(self, name):
        content = self.text(name)
        self.path(name).write_text("")
        # The time for which it is empty is this way to save.
        time.sleep(0.02)
        self.path(name).write_text(content)

    def save_removed_first(self, name):
        content = self.text(name)
        self.risk([name], 0.2)
        self.path(name).unlink()
        # The time for which it is away is this way to save.
        time.sleep(self.chance.choice([0, 0.03, 0.1]))
        self.path(name).write_text(content)

    def save_with_backup(self, name):
        content = self.text(name)
        os.rename(self.path(name), f"{self.path(name)}~")
        self.path(name).write_text(content)
        os.unlink(f"{self.path(name)}~")

    def save_linked(self, name):
        other = self.outside / "linked"
        other.write_text(self.text(name))
        self.path(name).unlink()
        os.link(other, self.path(name))
        other.unlink()

    def save_copied(self, name):
        other = self.outside / "copied"
        other.write_text(self.text(name))
        subprocess.run(["cp", *self.chance.choice([[], ["--remove-destination"]]), other, self.path(name)], check=True)
        other.unlink()

    def save_often(self, name):
        for _ in range(self.chance.randint(5, 30)):
            self.path(name).write_text(self.text(name))
            # Less than the quiet time of the watcher: it sees one long save.
            time.sleep(0.01)

    def edit_and_save(self):
        name = self.pick()
        self.change(name)
        save = self.chance.choice([
            self.save_truncate, self.save_rename, self.save_hidden_rename, self.save_sibling_rename, self.save_chunks,
            self.save_emptied_first, self.save_removed_first, self.save_with_backup, self.save_linked, self.save_copied,
            self.save_often,
        ])
        self.note(f"{save.__name__} {name}")
        save(name)
