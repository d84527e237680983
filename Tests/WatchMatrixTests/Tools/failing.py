"""Mounts a directory at another place, where reading NAME fails with EIO while `.fail-NAME` exists (FUSE)."""

import errno
import os
import sys

import fusepy as fuse


class Failing(fuse.Operations):
    def __init__(self, directory):
        self.directory = os.path.realpath(directory)

    def real(self, path):
        return self.directory + path

    def check(self, path):
        folder, name = os.path.split(self.real(path))
        if os.path.exists(os.path.join(folder, ".fail-" + name)):
            raise fuse.FuseOSError(errno.EIO)

    def getattr(self, path, handle=None):
        found = os.lstat(self.real(path))
        return {
            key: getattr(found, key)
            for key in ("st_atime", "st_ctime", "st_gid", "st_mode", "st_mtime", "st_nlink", "st_size", "st_uid")
        }

    def readdir(self, path, handle):
        return [".", "..", *os.listdir(self.real(path))]

    def open(self, path, flags):
        return os.open(self.real(path), flags)

    def create(self, path, mode, info=None):
        return os.open(self.real(path), os.O_WRONLY | os.O_CREAT, mode)

    def read(self, path, size, offset, handle):
        self.check(path)
        return os.pread(handle, size, offset)

    def write(self, path, data, offset, handle):
        return os.pwrite(handle, data, offset)

    def truncate(self, path, length, handle=None):
        os.truncate(self.real(path), length)

    def rename(self, old, new):
        os.rename(self.real(old), self.real(new))

    def unlink(self, path):
        os.unlink(self.real(path))

    def utimens(self, path, times=None):
        os.utime(self.real(path), times)

    def release(self, path, handle):
        os.close(handle)


fuse.FUSE(Failing(sys.argv[1]), sys.argv[2], foreground=True, nothreads=True, direct_io=True)
