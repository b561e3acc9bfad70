#!/usr/bin/python3
"""A file system that passes everything on to a folder, and misbehaves on request.

usage: faulty_disk.py FOLDER MOUNTPOINT
While a call hangs the file FOLDER/.hanging appears.
The file FOLDER/.faults, read at every I/O when it changed, holds lines "name value":
  read-delay-ms N      every read takes N milliseconds
  servers N            ... of one of N servers, first come first served
  write-delay-ms N     every write takes N milliseconds
  flush-delay-ms N     every fsync and fdatasync takes N milliseconds
  read-error-after N   reads fail with EIO from the Nth on
  write-error-after N  writes fail with EIO from the Nth on
  full-after N         writes fail with ENOSPC from the Nth on
  stall-ms N           the next I/O, and all that come meanwhile, wait N milliseconds, once
  stall-for-ms N       ... of every stall-every-ms N, counted from the rules' change; I/Os wait until the stall is over
  stall-every-ms N     ... see above
  error-for-ms N       reads and writes fail with EIO for N milliseconds of every error-every-ms N (none = once)
  error-every-ms N     ... see above
  vanish-for-ms N      for N milliseconds the files' names lead nowhere and I/O on open ones fails with ENODEV;
                       handles from before stay dead
  hang 1               no I/O ever answers, until the line is gone
  hang-open 1          no open and no creation ever answers, until the line is gone
  hang-attributes 1    no setting of an attribute ever answers, until the line is gone
  no-attributes 1      files have no extended attributes
  attribute-error 1    extended attributes fail with EIO
  read-only 1          files cannot be opened for writing
  denied-after N       reads and writes fail with EACCES from the Nth on
  rename-error-at N    the Nth rename fails with EIO; an open file that is replaced takes two renames
  rename-error-from N  every rename from the Nth on fails with EIO
  no-direct 1          files cannot be opened with O_DIRECT
"""
import errno
import os
import sys
import threading
import time

try:
    from fusepy import FUSE, FuseOSError, Operations
except ImportError:
    from fuse import FUSE, FuseOSError, Operations


class FaultyDisk(Operations):
    def __init__(self, folder):
        self.folder = folder
        self.rules_path = os.path.join(folder, ".faults")
        self.rules = {}
        self.rules_time = None
        self.gate = threading.Lock()
        self.reads = 0
        self.writes = 0
        self.renames = 0
        self.stalled_until = 0
        self.stalled_rule = None
        self.free_at = []
        self.rules_at = 0.0
        self.vanished_rules = None
        self.dead = set()
        self.handles = set()

    def _real(self, path):
        return os.path.join(self.folder, path.lstrip("/"))

    def _rule(self, name):
        with self.gate:
            try:
                changed = os.stat(self.rules_path).st_mtime_ns
                if changed != self.rules_time:
                    with open(self.rules_path) as file:
                        self.rules = dict((n, float(v)) for n, v in (line.split() for line in file if line.strip()))
                    self.rules_time = changed
                    self.rules_at = time.monotonic()
                    self.reads = self.writes = self.renames = 0
            except FileNotFoundError:
                self.rules = {}
            return self.rules.get(name)

    def _wait(self):
        while self._rule("hang"):
            self._tell_hanging()
            time.sleep(0.02)
        stall = self._rule("stall-ms")
        if stall and self.stalled_rule != self.rules_time:
            self.stalled_rule = self.rules_time
            self.stalled_until = time.monotonic() + stall / 1000
        left = self.stalled_until - time.monotonic()
        if left > 0:
            time.sleep(left)

    def _window(self, name):
        """Seconds left of a window: of NAME-for-ms milliseconds, once or every NAME-every-ms; 0 outside."""
        length = self._rule(name + "-for-ms")
        if not length:
            return 0
        every = self._rule(name + "-every-ms")
        # A stall of each n seconds begins with the nth, a window that comes once at once.
        at = time.monotonic() - self.rules_at
        if every:
            at -= every / 1000
            at = at % (every / 1000) if at >= 0 else length
        return max(0, length / 1000 - at)

    def _misbehave_in_windows(self, handle):
        left = self._window("stall")
        if left > 0:
            time.sleep(left)
        if self._is_gone() or handle in self.dead:
            raise FuseOSError(errno.ENODEV)
        if self._window("error") > 0:
            raise FuseOSError(errno.EIO)

    def _is_gone(self):
        gone = self._window("vanish") > 0
        if gone and self.vanished_rules != self.rules_time:
            self.vanished_rules = self.rules_time
            self.dead |= self.handles
        return gone

    def read(self, path, size, offset, handle):
        began = time.monotonic()
        self._wait()
        self._misbehave_in_windows(handle)
        self.reads += 1
        for name, number in (("read-error-after", errno.EIO), ("denied-after", errno.EACCES)):
            limit = self._rule(name)
            if limit is not None and self.reads > limit:
                raise FuseOSError(number)
        data = os.pread(handle, size, offset)
        delay = self._rule("read-delay-ms")
        if delay:
            left = self._served(began, delay / 1000) - time.monotonic()
            if left > 0:
                time.sleep(left)
        return data

    def _served(self, began, seconds):
        """When a read that came at a moment is done: at once by a server that is free, else when the first one is."""
        servers = int(self._rule("servers") or 0)
        if not servers:
            return began + seconds
        with self.gate:
            if len(self.free_at) != servers:
                self.free_at = [0.0] * servers
            first = min(range(servers), key=self.free_at.__getitem__)
            self.free_at[first] = max(began, self.free_at[first]) + seconds
            return self.free_at[first]

    def _delay(self, began, rule):
        delay = self._rule(rule)
        if delay:
            left = began + delay / 1000 - time.monotonic()
            if left > 0:
                time.sleep(left)

    def write(self, path, data, offset, handle):
        began = time.monotonic()
        self._wait()
        self._misbehave_in_windows(handle)
        self.writes += 1
        for name, number in (("write-error-after", errno.EIO), ("full-after", errno.ENOSPC), ("denied-after", errno.EACCES)):
            limit = self._rule(name)
            if limit is not None and self.writes > limit:
                raise FuseOSError(number)
        written = os.pwrite(handle, data, offset)
        self._delay(began, "write-delay-ms")
        return written

    def _hold(self, rule):
        while self._rule(rule):
            self._tell_hanging()
            time.sleep(0.02)

    def _tell_hanging(self):
        with open(os.path.join(self.folder, ".hanging"), "w"):
            pass

    def open(self, path, flags):
        self._hold("hang-open")
        if self._is_gone():
            raise FuseOSError(errno.ENOENT)
        if self._rule("read-only") and flags & os.O_ACCMODE != os.O_RDONLY:
            raise FuseOSError(errno.EACCES)
        if self._rule("no-direct") and flags & os.O_DIRECT:
            raise FuseOSError(errno.EINVAL)
        # O_DIRECT asks for aligned buffers that Python does not give; this file system has no cache of its own anyway.
        return self._opened(os.open(self._real(path), flags & ~os.O_DIRECT))

    def _opened(self, handle):
        self.handles.add(handle)
        return handle

    def create(self, path, mode, fi=None):
        self._hold("hang-open")
        return self._opened(os.open(self._real(path), os.O_RDWR | os.O_CREAT | os.O_EXCL, mode))

    def release(self, path, handle):
        # The system gives the number to the next one.
        self.handles.discard(handle)
        self.dead.discard(handle)
        os.close(handle)

    def truncate(self, path, length, handle=None):
        os.truncate(self._real(path), length)

    def flush(self, path, handle):
        return 0

    def fsync(self, path, datasync, handle):
        began = time.monotonic()
        os.fsync(handle)
        self._delay(began, "flush-delay-ms")
        return 0

    def getattr(self, path, handle=None):
        if path != "/" and self._is_gone():
            raise FuseOSError(errno.ENOENT)
        try:
            st = os.lstat(self._real(path))
        except OSError as error:
            raise FuseOSError(error.errno)
        return dict((key, getattr(st, key)) for key in ("st_atime", "st_ctime", "st_mtime", "st_gid", "st_mode", "st_nlink", "st_size", "st_uid", "st_blocks"))

    def readdir(self, path, handle):
        return [".", ".."] + os.listdir(self._real(path))

    def unlink(self, path):
        os.unlink(self._real(path))

    def rename(self, old, new):
        at, after = self._rule("rename-error-at"), self._rule("rename-error-from")
        self.renames += 1
        if self.renames == at or (after and self.renames >= after):
            raise FuseOSError(errno.EIO)
        os.rename(self._real(old), self._real(new))

    def chmod(self, path, mode):
        os.chmod(self._real(path), mode)

    def utimens(self, path, times=None):
        os.utime(self._real(path), times)

    def statfs(self, path):
        st = os.statvfs(self.folder)
        return dict((key, getattr(st, key)) for key in ("f_bavail", "f_bfree", "f_blocks", "f_bsize", "f_favail", "f_ffree", "f_files", "f_frsize", "f_namemax"))

    def _attributes(self):
        if self._rule("no-attributes"):
            raise FuseOSError(errno.EOPNOTSUPP)
        if self._rule("attribute-error"):
            raise FuseOSError(errno.EIO)

    def setxattr(self, path, name, value, options, position=0):
        self._hold("hang-attributes")
        self._attributes()
        os.setxattr(self._real(path), name, value, options)
        return 0

    def getxattr(self, path, name, position=0):
        self._attributes()
        try:
            return os.getxattr(self._real(path), name)
        except OSError as error:
            raise FuseOSError(error.errno)

    def removexattr(self, path, name):
        try:
            os.removexattr(self._real(path), name)
        except OSError as error:
            raise FuseOSError(error.errno)
        return 0


if __name__ == "__main__":
    FUSE(FaultyDisk(sys.argv[1]), sys.argv[2], foreground=True, nothreads=False, direct_io=True, big_writes=True, default_permissions=True)
