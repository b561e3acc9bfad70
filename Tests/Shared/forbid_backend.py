#!/usr/bin/python3
"""Runs a program to which the kernel refuses io_uring, or the setup of native asynchronous I/O, as a container's seccomp filter does.

usage: forbid_backend.py io_uring|linux_aio ERRNO PROGRAM [ARGUMENT…]
"""
import ctypes
import os
import platform
import struct
import sys

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD, JUMP_AT_LEAST, JUMP_ABOVE, RETURN = 0x20, 0x35, 0x25, 0x06
ALLOW, ERRNO = 0x7FFF0000, 0x00050000
IO_SETUP = 206 if platform.machine() == "x86_64" else 0
CALLS = {"io_uring": (425, 427), "linux_aio": (IO_SETUP, IO_SETUP)}  # io_uring's are the same everywhere

first, last = CALLS[sys.argv[1]]
error = int(sys.argv[2])
# The system call's number; below or above the forbidden ones: allowed; else the error.
program = b"".join(struct.pack("=HBBI", *line) for line in [
    (LOAD, 0, 0, 0),
    (JUMP_AT_LEAST, 0, 2, first),
    (JUMP_ABOVE, 1, 0, last),
    (RETURN, 0, 0, ERRNO | error),
    (RETURN, 0, 0, ALLOW),
])


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("lines", ctypes.c_char_p)]


libc = ctypes.CDLL(None, use_errno=True)
for arguments in ((PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(Filter(len(program) // 8, program)), 0, 0)):
    if libc.prctl(*arguments) != 0:
        sys.exit("prctl: " + os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[3], sys.argv[3:])
