#!/usr/bin/python3
"""A file system like faulty_disk.py whose faults are lies: it says that all went well.

usage: lying_disk.py FOLDER MOUNTPOINT
More lines of FOLDER/.faults, each "every Nth time" for its own kind of I/O:
  lose N             a write is acknowledged and not done
  tear-512 N         ... done up to a sector, never whole
  tear-4096 N        ... done for its first 4 KB
  misdirect-write N  ... done 64 KB further on
  flip-write N       ... done with one bit changed
  zero-write N       ... done as zeros
  stale N            a read brings what was there before the last write
  misdirect-read N   a read brings what is 64 KB further on
  flip-read N        a read brings one changed bit
  zero-read N        a read brings zeros
  volatile 1         writes stay in memory until a flush, or until they are written back at random; a kill loses the rest
  volatile 2         the same, and flushes and write-through do nothing
Files whose names end in .dat are lied about; where and when is appended to FOLDER/.lies as "kind offset".
"""
import os
import random
import sys
import threading

import faulty_disk
from faulty_disk import FUSE, FaultyDisk

WRITES = ("lose", "tear-512", "tear-4096", "misdirect-write", "flip-write", "zero-write")
READS = ("stale", "misdirect-read", "flip-read", "zero-read")
FAR = 65536
PAGE = 4096


class LyingDisk(FaultyDisk):
    def __init__(self, folder):
        super().__init__(folder)
        self.guard = threading.RLock()
        self.counts = {}
        self.before = {}
        self.pages = {}
        self.through = set()
        self.random = random.Random(18)

    def _lie(self, path, kinds, offset):
        if not path.endswith(".dat"):
            return None
        for kind in kinds:
            every = self._rule(kind)
            if every:
                self.counts[kind] = self.counts.get(kind, 0) + 1
                if self.counts[kind] % int(every) == 0:
                    return kind
        return None

    def _tell(self, kind, offset):
        with open(os.path.join(self.folder, ".lies"), "a") as file:
            file.write("%s %d\n" % (kind, offset))

    def read(self, path, size, offset, handle):
        with self.guard:
            kind = self._lie(path, READS, offset)
            if kind == "stale":
                old = self.before.get((path, offset, size))
                if old is not None and old != self._get(path, size, offset, handle):
                    self._tell(kind, offset)
                    return old
            elif kind == "misdirect-read":
                data = self._get(path, size, offset + FAR, handle)
                if len(data) == size:
                    self._tell(kind, offset)
                    return data
            elif kind == "flip-read":
                data = bytearray(self._get(path, size, offset, handle))
                data[self.random.randrange(len(data))] ^= 1 << self.random.randrange(8)
                self._tell(kind, offset)
                return bytes(data)
            elif kind == "zero-read":
                self._tell(kind, offset)
                return bytes(size)
            if self._rule("volatile"):
                return self._get(path, size, offset, handle)
        return super().read(path, size, offset, handle)

    def write(self, path, data, offset, handle):
        with self.guard:
            kind = self._lie(path, WRITES, offset)
            size = len(data)
            if path.endswith(".dat") and any(self._rule(name) for name in READS):
                self.before[(path, offset, size)] = self._get(path, size, offset, handle)
            if kind:
                done, place = data, offset
                if kind == "lose":
                    done = b""
                elif kind == "tear-512":
                    done = data[: 512 * self.random.randrange(1, size // 512)]
                elif kind == "tear-4096":
                    done = data[:4096]
                elif kind == "zero-write":
                    done = bytes(size)
                elif kind == "flip-write":
                    changed = bytearray(data)
                    changed[self.random.randrange(size)] ^= 1 << self.random.randrange(8)
                    done = bytes(changed)
                elif offset + FAR + size <= os.fstat(handle).st_size:
                    place = offset + FAR
                else:
                    kind = None
                if kind:
                    self._tell(kind, offset)
                    os.pwrite(handle, done, place)
                    return size
            if self._rule("volatile") and path.endswith(".dat"):
                return self._keep(path, data, offset, handle)
        return super().write(path, data, offset, handle)

    def _get(self, path, size, offset, handle):
        data = bytearray(os.pread(handle, size, offset))
        for page in range(offset // PAGE, (offset + size + PAGE - 1) // PAGE):
            kept = self.pages.get((path, page))
            if kept is not None:
                first, last = max(offset, page * PAGE), min(offset + size, page * PAGE + PAGE)
                data[first - offset : last - offset] = kept[first - page * PAGE : last - page * PAGE]
        return bytes(data)

    def _keep(self, path, data, offset, handle):
        first, end = offset // PAGE, (offset + len(data) + PAGE - 1) // PAGE
        whole = bytearray(self._get(path, (end - first) * PAGE, first * PAGE, handle))
        whole[offset - first * PAGE : offset - first * PAGE + len(data)] = data
        for page in range(first, end):
            self.pages[(path, page)] = bytes(whole[(page - first) * PAGE : (page - first + 1) * PAGE])
        if handle in self.through and self._rule("volatile") == 1:
            self._write_back(path, handle, list(range(first, end)))
        elif self.random.randrange(8) == 0:
            # As a cache does, in an order of its own.
            mine = [page for name, page in self.pages if name == path]
            self._write_back(path, handle, self.random.sample(mine, len(mine) // 4))
        return len(data)

    def _write_back(self, path, handle, pages):
        for page in pages:
            data = self.pages.pop((path, page), None)
            if data is not None:
                os.pwrite(handle, data, page * PAGE)

    def open(self, path, flags):
        handle = super().open(path, flags)
        if flags & os.O_DSYNC:
            self.through.add(handle)
        return handle

    def release(self, path, handle):
        with self.guard:
            self.through.discard(handle)
        return super().release(path, handle)

    def fsync(self, path, datasync, handle):
        with self.guard:
            if self._rule("volatile") != 2:
                self._write_back(path, handle, [page for name, page in list(self.pages) if name == path])
        return super().fsync(path, datasync, handle)


if __name__ == "__main__":
    FUSE(LyingDisk(sys.argv[1]), sys.argv[2], foreground=True, nothreads=False, direct_io=True, big_writes=True, default_permissions=True)
