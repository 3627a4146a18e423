"""The first program inside a sandbox: sets the limits, copies the files, becomes the command.

It is started as a file, with a bare interpreter, and never imported. Its arguments: a JSON object
with the limits and places, then the command.
"""

import ctypes
import json
import os
import re
import shutil
import sys
from collections.abc import Callable

try:
    import resource
except ImportError:  # native Windows, where nothing is launched
    resource = None

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 32, 4096, 16384, 1 << 18
FLAGS = {b"nosuid": MS_NOSUID, b"nodev": MS_NODEV, b"noexec": MS_NOEXEC,
         b"noatime": 1024, b"nodiratime": 2048, b"relatime": 1 << 21}  # fmt: skip
PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 24, 38


def main() -> None:
    """Prepare, then become the command."""
    plan = json.loads(sys.argv[1])
    if plan["tmpfs"]:
        _private_files(plan)
    if plan["given"]:
        shutil.copytree(plan["given"], plan["work"], symlinks=True, dirs_exist_ok=True)
    os.chdir(plan["work"])
    if plan["tmpfs"]:
        _stay_behind()
    _limit(plan)
    os.nice(5)  # whoever watches it comes first
    if plan["drop"]:
        _drop_powers()
    try:
        os.execvp(sys.argv[2], sys.argv[2:])
    except OSError as error:
        sys.stderr.write(f"`{sys.argv[2]}` cannot be started: {error.strerror}\n")
        os._exit(127)


def _private_files(plan: dict) -> None:
    """Without bubblewrap: nothing of the machine can be written, but a small place of its own."""
    mount = ctypes.CDLL(None, use_errno=True).mount
    work, size = plan["work"].encode(), f"size={plan['disk']},mode=700".encode()
    os.makedirs(work, exist_ok=True)
    before = _mounts()
    wrong = mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None)
    wrong = wrong or _few_devices(mount, work, size)
    for place, flags in before:
        mount(b"none", place, None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NODEV | flags, None)
    wrong = wrong or mount(work, b"/dev", None, MS_BIND | MS_REC, None)
    wrong = wrong or mount(b"paige", work, b"tmpfs", MS_NOSUID | MS_NODEV, size)
    if wrong:
        sys.stderr.write("The sandbox cannot have files of its own here\n")
        os._exit(126)
    for folder in plan["masked"]:
        mount(b"paige", folder.encode(), b"tmpfs", MS_RDONLY, b"size=4k")


def _few_devices(mount: Callable[..., int], place: bytes, size: bytes) -> int:
    """A folder of the few devices every program may use; a disk is not among them."""
    if mount(b"paige", place, b"tmpfs", MS_NOSUID, b"size=64k,mode=755"):
        return 1
    for name in (b"null", b"zero", b"full", b"random", b"urandom", b"tty"):
        with open(place + b"/" + name, "wb"):
            pass
        if mount(b"/dev/" + name, place + b"/" + name, None, MS_BIND, None):
            return 1
    os.symlink("/proc/self/fd", place + b"/fd")
    os.mkdir(place + b"/shm")
    if mount(b"paige", place + b"/shm", b"tmpfs", MS_NOSUID | MS_NODEV, size):
        return 1
    return mount(b"none", place, None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID, None)


def _mounts() -> list[tuple[bytes, int]]:
    """What is mounted where, with the flags that must stay."""
    found = []
    with open("/proc/self/mountinfo", "rb") as file:
        for line in file:
            fields = line.split()
            place = re.sub(rb"\\(\d{3})", lambda octal: bytes([int(octal[1], 8)]), fields[4])
            kept = [FLAGS[name] for name in fields[5].split(b",") if name in FLAGS]
            found.append((place, sum(kept)))
    return found


def _drop_powers() -> None:
    """Give up for good what this user may do beyond others, as root or by what it starts."""
    prctl = ctypes.CDLL(None).prctl
    for power in range(64):
        prctl(PR_CAPBSET_DROP, power, 0, 0, 0)
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def _stay_behind() -> None:
    """Go on in a child: the first process of a namespace does not get the signals of limits."""
    child = os.fork()
    if child == 0:
        return
    while True:
        pid, status = os.wait()
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)


def _limit(plan: dict) -> None:
    limits = {
        "RLIMIT_CORE": 0,
        "RLIMIT_FSIZE": plan["disk"],
        "RLIMIT_NOFILE": 256,
        "RLIMIT_NPROC": plan["tasks"] + (_tasks_of_user() if plan["shared"] else 0),
        "RLIMIT_AS": plan["addresses"],
    }
    assert resource is not None
    # The soft limit comes a second before the hard one, so that the signal tells which it was.
    resource.setrlimit(resource.RLIMIT_CPU, (plan["cpu"], plan["cpu"] + 1))
    for name, value in limits.items():
        number = getattr(resource, name, None)
        if number is None or value is None:
            continue
        hard = resource.getrlimit(number)[1]
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(number, (bound, bound))


def _tasks_of_user() -> int:
    """How many threads this user has already, where the limit counts them all."""
    number = 0
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == os.getuid():
                number += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            continue
    return number


if __name__ == "__main__":
    main()
