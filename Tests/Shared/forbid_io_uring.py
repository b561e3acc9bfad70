#!/usr/bin/python3
"""Runs a program to which the kernel refuses io_uring, as a container's seccomp filter does.

usage: forbid_io_uring.py ERRNO PROGRAM [ARGUMENT…]
"""
import ctypes
import os
import struct
import sys

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD, JUMP_AT_LEAST, JUMP_ABOVE, RETURN = 0x20, 0x35, 0x25, 0x06
ALLOW, ERRNO = 0x7FFF0000, 0x00050000
IO_URING_SETUP, IO_URING_REGISTER = 425, 427  # the same on x64 and arm64

error = int(sys.argv[1])
# The system call's number; below or above io_uring's three: allowed; else the error.
program = b"".join(struct.pack("=HBBI", *line) for line in [
    (LOAD, 0, 0, 0),
    (JUMP_AT_LEAST, 0, 2, IO_URING_SETUP),
    (JUMP_ABOVE, 1, 0, IO_URING_REGISTER),
    (RETURN, 0, 0, ERRNO | error),
    (RETURN, 0, 0, ALLOW),
])


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("lines", ctypes.c_char_p)]


libc = ctypes.CDLL(None, use_errno=True)
for arguments in ((PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(Filter(len(program) // 8, program)), 0, 0)):
    if libc.prctl(*arguments) != 0:
        sys.exit("prctl: " + os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[2], sys.argv[2:])
