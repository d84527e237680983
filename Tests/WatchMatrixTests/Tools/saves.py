"""Saves that no shell command makes.

usage: saves.py COMMAND ARGUMENTS, with the new text on standard input where one is needed
"""

import ctypes
import mmap
import os
import shutil
import sys
import time

AT_FDCWD = -100
AT_SYMLINK_FOLLOW = 0x400
RENAME_EXCHANGE = 2
libc = ctypes.CDLL(None, use_errno=True)


def check(result):
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def text():
    return sys.stdin.buffer.read()


def write_text(path):
    """pathlib's write_text."""
    import pathlib

    pathlib.Path(path).write_text(text().decode())


def replace(path):
    """tempfile and os.replace, as libraries for safe writing do."""
    import tempfile

    descriptor, name = tempfile.mkstemp(dir=os.path.dirname(path))
    with os.fdopen(descriptor, "wb") as file:
        file.write(text())
        file.flush()
        os.fsync(file.fileno())
    os.replace(name, path)


def chunks(path, size):
    """Many writes, without a pause."""
    content = text()
    with open(path, "wb", buffering=0) as file:
        for start in range(0, len(content), int(size)):
            file.write(content[start : start + int(size)])


def beside(other, path):
    """Writes beside and renames, without a program in between that could take its time."""
    content = text()
    with open(other, "wb") as file:
        file.write(content)
    os.rename(other, path)


def truncated(path, pause):
    """Truncates, and writes some seconds later."""
    content = text()
    with open(path, "wb", buffering=0) as file:
        # The gap is what the editor does.
        time.sleep(float(pause))
        file.write(content)


def vscode(path):
    """Truncates, and writes 5 ms later."""
    truncated(path, 0.005)


def removed(path, pause):
    """Removes, and makes anew some seconds later."""
    content = text()
    os.unlink(path)
    # The gap is what the row tries.
    time.sleep(float(pause))
    with open(path, "wb") as file:
        file.write(content)


def remake(source, path):
    """Removes a directory, and makes it anew as a copy of another one."""
    shutil.rmtree(path)
    shutil.copytree(source, path)


def jetbrains(path):
    """Writes beside, moves the old one away, moves the new one in, removes the old one."""
    new, old = path + "___jb_tmp___", path + "___jb_old___"
    with open(new, "wb") as file:
        file.write(text())
    os.rename(path, old)
    os.rename(new, path)
    os.unlink(old)


def tmpfile(path):
    """A file without a name that is given one when it is complete (open(2), O_TMPFILE)."""
    descriptor = os.open(os.path.dirname(path), os.O_TMPFILE | os.O_WRONLY, 0o644)
    os.write(descriptor, text())
    source = f"/proc/self/fd/{descriptor}".encode()
    check(libc.linkat(AT_FDCWD, source, AT_FDCWD, path.encode(), AT_SYMLINK_FOLLOW))
    os.close(descriptor)


def exchange(one, other):
    """Two files change their names in one step (renameat2(2))."""
    check(libc.renameat2(AT_FDCWD, one.encode(), AT_FDCWD, other.encode(), RENAME_EXCHANGE))


def mapped(path, old, new):
    """Edits memory that the file is mapped to."""
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        start = memory.find(old.encode())
        memory[start : start + len(old)] = new.encode()


def allocate(path):
    """Reserves a block, writes, and cuts off the rest."""
    content = text()
    with open(path, "r+b", buffering=0) as file:
        os.posix_fallocate(file.fileno(), 0, 4096)
        file.write(content)
        os.ftruncate(file.fileno(), len(content))


def twice(path, old, first, second):
    """Two saves of the same size right after each other; fails if they take longer than a millisecond."""
    with open(path, "rb") as file:
        content = file.read()
    start = time.monotonic()
    for name in (first, second):
        descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC)
        os.write(descriptor, content.replace(old.encode(), name.encode()))
        os.close(descriptor)
    print(f"{1000 * (time.monotonic() - start):.3f} ms")


def steady(path, seconds, way):
    """A line every 10 ms, with the file open all the time or opened each time."""
    end = time.monotonic() + float(seconds)
    held = os.open(path, os.O_WRONLY | os.O_APPEND)
    while time.monotonic() < end:
        descriptor = held if way == "open" else os.open(path, os.O_WRONLY | os.O_APPEND)
        os.write(descriptor, b"# more\n")
        if descriptor != held:
            os.close(descriptor)
        # The rate is the load.
        time.sleep(0.01)
    os.close(held)


def storm(directory, seconds, rate):
    """Writes to two files in turn, so that the kernel cannot merge the events: RATE a second for SECONDS."""
    files = [os.open(f"{directory}/{name}.log", os.O_WRONLY | os.O_CREAT, 0o644) for name in "xy"]
    start, count = time.monotonic(), 0
    while (elapsed := time.monotonic() - start) < float(seconds):
        while count < elapsed * float(rate):
            os.pwrite(files[count % 2], b"x", 0)
            count += 1
        # The loop above makes up for the pause: the rate is the load.
        time.sleep(0.001)
    print(f"{count / float(seconds):.0f} events a second")


if __name__ == "__main__":
    globals()[sys.argv[1].replace("-", "_")](*sys.argv[2:])
