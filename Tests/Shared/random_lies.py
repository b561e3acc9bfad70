#!/usr/bin/python3
"""A file system like faulty_disk.py that lies at random moments, in places where a lie can be found, and keeps a journal of what it did.

usage: random_lies.py FOLDER MOUNTPOINT
The file FOLDER/.wanted says "KIND COUNT POISON": lies of one kind, until so many were met by a read. POISON, in hexadecimal, is what the reader puts at the
end of each sector of its buffers. Files whose names end in .dat are lied about, in blocks of 8 KB.

Lies about writes. The write is acknowledged and done; two seconds later, as when a cache is written back, the medium holds
  lose             what was there before
  tear-512         its first 1 to 15 sectors, and what was there before
  tear-4096        its first 4 KB, and what was there before
  misdirect-write  what was there before, and another block holds the write
  flip-write       the write with one bit changed
  zero-write       zeros
Lies about reads, of blocks that were not written for two seconds: the read brings
  stale            what was there before the last write
  misdirect-read   another block
  flip-read        the block with one bit changed
  zero-read        zeros
  not-read         the first 1 to 15 sectors; the rest is as in a buffer that was left as it was
  short-count      the first 1 to 15 sectors, and says so: no lie

No block is lied about twice, nor are neighbors. What a read has brought is not written over before FOLDER/.named, lines "KIND OFFSET", says that it was named: else
its second look would find something else. FOLDER/.lies receives
  told NUMBER KIND OFFSET LENGTH TIME STRAY   a lie; STRAY is the offset where a write went instead, or -1
  met NUMBER own|stray                        a read brought what is wrong
  over NUMBER own|stray                       it was written over
  enough                                      as many as wanted were met: nothing more is told
"""
import collections
import os
import random
import sys
import threading
import time

from faulty_disk import FUSE, FaultyDisk

BLOCK = 8192
SECTOR = 512
WRITES = ("lose", "tear-512", "tear-4096", "misdirect-write", "flip-write", "zero-write")
READS = ("stale", "misdirect-read", "flip-read", "zero-read", "not-read", "short-count")
# As long as a read may be on its way that was begun before a write was acknowledged, on a computer that is busy with other work too.
QUIET = 2.0
# An error that is named at all is named within milliseconds, where the computer has time for it.
PATIENCE = 15.0
ONE_IN = 20
MOST_OPEN = 300


class Lie:
    def __init__(self, number, kind, own, stray):
        self.number, self.kind, self.own, self.stray = number, kind, own, stray
        self.met = set()


class RandomLies(FaultyDisk):
    def __init__(self, folder):
        super().__init__(folder)
        self.guard = threading.Lock()
        self.news = threading.Condition(self.guard)
        self.random = random.Random()
        self.kind, self.wanted, self.poison = None, 0, b""
        self.told = self.met = self.named_until = 0
        self.used = set()
        self.lies = {}
        self.damage = {}
        self.written = {}
        self.before = {}
        self.cached = {}
        self.due = collections.deque()
        self.media = {}
        self.journal = open(os.path.join(folder, ".lies"), "a", buffering=1)

    def init(self, path):
        threading.Thread(target=self._work, daemon=True).start()

    def _work(self):
        while True:
            time.sleep(0.005)
            with self.guard:
                self._look_what_is_wanted()
                self._hear_what_was_named()
                while self.due and self.due[0][0] <= time.monotonic():
                    self._write_back(*self.due.popleft()[1:])

    def _look_what_is_wanted(self):
        try:
            with open(os.path.join(self.folder, ".wanted")) as file:
                kind, count, poison = file.read().split()
        except FileNotFoundError:
            return
        if self.kind is None:
            self.kind, self.wanted, self.poison = kind, int(count), bytes.fromhex(poison)

    def _hear_what_was_named(self):
        try:
            with open(os.path.join(self.folder, ".named")) as file:
                file.seek(self.named_until)
                text = file.read()
        except FileNotFoundError:
            return
        whole = text[: text.rfind("\n") + 1]
        self.named_until += len(whole)
        for line in whole.splitlines():
            kind, offset = line.split()
            lie = self.lies.get(int(offset) // BLOCK)
            # A misdirected write is named when both of its places are known; its own place alone tells that it is lost.
            if lie and (kind == "MisdirectedWrite" or lie.stray is None):
                self.damage.pop(lie.own, None)
                self.damage.pop(lie.stray, None)
            elif lie:
                self.damage.pop(int(offset) // BLOCK, None)
        if whole:
            self.news.notify_all()

    def _wants(self, kinds, size, offset, one_in):
        block = offset // BLOCK
        return (self.kind in kinds and size == BLOCK and offset % (2 * BLOCK) == 0 and self.met < self.wanted and len(self.damage) + len(self.cached) < MOST_OPEN
                and block not in self.used and self.random.randrange(one_in) == 0)

    def _is_quiet(self, block):
        return time.monotonic() - self.written.get(block, 0) >= QUIET

    def _tell(self, kind, block, first, sectors, stray=None):
        lie = Lie(self.told, kind, block, stray)
        self.told += 1
        for place in (block, stray):
            if place is not None:
                self.used.add(place)
                self.lies[place] = self.damage[place] = lie
        self.journal.write("told %d %s %d %d %.6f %d\n" % (lie.number, kind, block * BLOCK + first * SECTOR, sectors * SECTOR, time.time(), -1 if stray is None else stray * BLOCK))
        return lie

    def _meet(self, lie, block):
        if block in lie.met:
            return
        if not lie.met:
            self.met += 1
        lie.met.add(block)
        self.journal.write("met %d %s\n" % (lie.number, "stray" if block == lie.stray else "own"))
        if self.met == self.wanted:
            self.journal.write("enough\n")

    def read(self, path, size, offset, handle):
        with self.guard:
            data = os.pread(handle, size, offset)
            if not path.endswith(".dat"):
                return data
            if self.damage:
                for block in range(offset // BLOCK, (offset + size + BLOCK - 1) // BLOCK):
                    lie = self.damage.get(block)
                    if lie:
                        self._meet(lie, block)
            block = offset // BLOCK
            if block not in self.damage and block not in self.cached and self._wants(READS, size, offset, ONE_IN) and self._is_quiet(block):
                return self._lie_to_reader(handle, block, data)
            return data

    def _lie_to_reader(self, handle, block, data):
        first, sectors = 0, BLOCK // SECTOR
        if self.kind == "stale":
            if block not in self.before:
                return data
            lie = self.before[block]
        elif self.kind == "misdirect-read":
            other = self.random.choice(list(self.written)) if self.written else block
            if other == block:
                return data
            lie = os.pread(handle, BLOCK, other * BLOCK)
        elif self.kind == "flip-read":
            lie, first = self._flipped(data)
            sectors = 1
        elif self.kind == "zero-read":
            lie = bytes(BLOCK)
        else:
            first = self.random.randrange(1, BLOCK // SECTOR)
            sectors -= first
            rest = b"".join(self.random.randbytes(SECTOR - len(self.poison)) + self.poison for _ in range(sectors)) if self.kind == "not-read" else b""
            lie = data[: first * SECTOR] + rest
        self._meet(self._tell(self.kind, block, first, sectors), block)
        if self.kind == "short-count":
            del self.damage[block]
        return lie

    def _flipped(self, data):
        changed, at = bytearray(data), self.random.randrange(BLOCK)
        changed[at] ^= 1 << self.random.randrange(8)
        return bytes(changed), at // SECTOR

    def write(self, path, data, offset, handle):
        if not path.endswith(".dat"):
            return os.pwrite(handle, data, offset)
        with self.guard:
            if len(data) != BLOCK:
                # The fill, before anything is wanted.
                return os.pwrite(handle, data, offset)
            block = offset // BLOCK
            self._wait_until_named(block)
            lie = self.damage.pop(block, None)
            if lie:
                self.journal.write("over %d %s\n" % (lie.number, "stray" if block == lie.stray else "own"))
            self.cached.pop(block, None)
            is_chosen = lie is None and self._wants(WRITES, len(data), offset, ONE_IN)
            if is_chosen or self.kind == "stale":
                self.before[block] = os.pread(handle, BLOCK, offset)
            os.pwrite(handle, data, offset)
            self.written[block] = time.monotonic()
            if is_chosen:
                self.cached[block] = data
                self.due.append((time.monotonic() + QUIET, path, block, data))
            return len(data)

    def _wait_until_named(self, block):
        end = time.monotonic() + PATIENCE
        while True:
            lie = self.damage.get(block)
            if lie is None or block not in lie.met or time.monotonic() > end:
                return
            self.news.wait(0.1)

    def _write_back(self, path, block, data):
        if self.cached.get(block) is not data:
            # Written again meanwhile: there was no lie.
            return
        del self.cached[block]
        if self.met >= self.wanted:
            return
        if path not in self.media:
            self.media[path] = os.open(self._real(path), os.O_RDWR)
        medium, before = self.media[path], self.before.pop(block)
        first, sectors, stray = 0, BLOCK // SECTOR, None
        if self.kind == "lose":
            done = before
        elif self.kind in ("tear-512", "tear-4096"):
            first = 8 if self.kind == "tear-4096" else self.random.randrange(1, sectors)
            sectors -= first
            done = data[: first * SECTOR] + before[first * SECTOR :]
        elif self.kind == "flip-write":
            done, first = self._flipped(data)
            sectors = 1
        elif self.kind == "zero-write":
            done = bytes(BLOCK)
        else:
            stray = 2 * self.random.randrange(os.fstat(medium).st_size // BLOCK // 2)
            if stray == block or stray in self.used or stray in self.cached or not self._is_quiet(stray):
                return
            done = before
            os.pwrite(medium, data, stray * BLOCK)
        os.pwrite(medium, done, block * BLOCK)
        self._tell(self.kind, block, first, sectors, stray)

    def fsync(self, path, datasync, handle):
        # What is tested is not the disk below.
        return 0


if __name__ == "__main__":
    FUSE(RandomLies(sys.argv[1]), sys.argv[2], foreground=True, nothreads=False, direct_io=True, big_writes=True, default_permissions=True)
