"""Becomes a program under a seccomp filter, as a container or a unit sets one: no more privileges.

Started by `test_deploy.py`. Its arguments: what is done by default, `allow` or `deny`, the names of
the system calls that are treated the other way, joined by commas, and the program.
"""

import ctypes
import os
import sys

ALLOW, DENY = 0x7FFF0000, 0x00050001  # the latter with the error "not permitted"


def main() -> None:
    """Load the filter, then become the program."""
    usual, names, program = sys.argv[1], sys.argv[2].split(","), sys.argv[3:]
    seccomp = ctypes.CDLL("libseccomp.so.2")
    seccomp.seccomp_init.restype = ctypes.c_void_p
    made = ctypes.c_void_p(seccomp.seccomp_init(ALLOW if usual == "allow" else DENY))
    other = DENY if usual == "allow" else ALLOW
    for name in names:
        number = seccomp.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:  # others are not known on this kind of machine
            assert seccomp.seccomp_rule_add(made, other, number, 0) == 0, name
    assert seccomp.seccomp_load(made) == 0
    os.execv(program[0], program)


if __name__ == "__main__":
    main()
