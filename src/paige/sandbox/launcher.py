"""The first program inside a sandbox: sets the limits, copies the files, becomes the command.

It is started as a file, with a bare interpreter, and never imported. Its arguments: a JSON object
with the limits and places, then the command.
"""

import json
import os
import resource
import shutil
import sys


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
    try:
        os.execvp(sys.argv[2], sys.argv[2:])
    except OSError as error:
        sys.stderr.write(f"`{sys.argv[2]}` cannot be started: {error.strerror}\n")
        os._exit(127)


def _private_files(plan: dict) -> None:
    """Without bubblewrap: a small file system of its own for what the command writes."""
    import subprocess  # noqa: PLC0415 - only needed here

    mount = ["mount", "-t", "tmpfs", "-o", f"size={plan['disk']},mode=700"]
    os.makedirs(plan["work"], exist_ok=True)
    subprocess.run([*mount, "paige", plan["work"]], check=True)
    for folder in plan["masked"]:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k,ro", "paige", folder], check=False)


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
        "RLIMIT_NPROC": plan["processes"],
        "RLIMIT_AS": plan["addresses"],
    }
    # The soft limit comes a second before the hard one, so that the signal tells which it was.
    resource.setrlimit(resource.RLIMIT_CPU, (plan["cpu"], plan["cpu"] + 1))
    for name, value in limits.items():
        number = getattr(resource, name, None)
        if number is None or value is None:
            continue
        hard = resource.getrlimit(number)[1]
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(number, (bound, bound))


if __name__ == "__main__":
    main()
