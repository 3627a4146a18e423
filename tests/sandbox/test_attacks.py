"""More ways out of the sandbox, each tried for real. `OUT` is printed only if one worked."""

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from paige.sandbox.isolation import as_nobody
from paige.sandbox.runner import run
from paige.sandbox.values import MIB, Isolation, Job, Limits, Outcome

QUICK = Limits(wall_seconds=30, cpu_seconds=3, memory_bytes=200 * MIB, disk_bytes=8 * MIB)
SHUT: tuple[Isolation, ...] = ("bubblewrap", "namespaces")


def play(code: str, isolation: Isolation = "bubblewrap", **job: object) -> Outcome:
    """Run a Python program."""
    files = {"main.py": dedent(code).encode()}
    whole = Job(argv=(sys.executable, "main.py"), files=files, **{"limits": QUICK, **job})  # type: ignore[arg-type]
    return run(whole, isolation=isolation)


READS_AS_ROOT = ("a link out", "namespaces")
ESCAPES = {
    "a link out": """
        import os
        os.symlink("/etc/shadow", "a")
        print("OUT", open("a").read())
        """,
    "a hard link out": """
        import os
        os.link("/etc/passwd", "b")
        print("OUT")
        """,
    "the program it runs as": """
        import os
        open("/proc/self/exe", "ab").write(b"x")
        print("OUT")
        """,
    "memory of the first process": """
        open("/proc/1/mem", "r+b").read(1)
        print("OUT")
        """,
    "devices": """
        import os
        usual = {"null", "zero", "full", "random", "urandom", "tty", "ptmx"}
        usual |= {"stdin", "stdout", "stderr"}
        for top, _, names in os.walk("/dev"):
            for name in set(names) - usual:
                try:
                    os.close(os.open(os.path.join(top, name), os.O_WRONLY | os.O_NONBLOCK))
                    if top not in ("/dev/fd", "/dev/pts"): print("OUT", top, name)
                except OSError:
                    pass
        os.mknod("disk", 0o60600, os.makedev(8, 0))
        print("OUT")
        """,
    "programs that run as root": """
        import os, subprocess
        for program in ("su", "mount", "newgrp", "passwd", "sudo"):
            for folder in ("/usr/bin", "/bin"):
                if os.path.exists(f"{folder}/{program}"):
                    break
            else:
                continue
            done = subprocess.run([f"{folder}/{program}", "-c", "id"], capture_output=True,
                                  stdin=subprocess.DEVNULL, text=True)
            if "uid=0" in done.stdout: print("OUT", done.stdout)
        """,
    "watching a process that made itself private": """
        import ctypes, os
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(4, 0, 0, 0, 0)
        watched = os.getpid()
        if os.fork() == 0:
            if libc.ptrace(16, watched, 0, 0) == 0: print("OUT", flush=True)
            os._exit(0)
        os.wait()
        """,
    "mounting": """
        import ctypes
        if ctypes.CDLL(None).mount(b"x", b"/sandbox" if 0 else b".", b"tmpfs", 0, None) == 0:
            print("OUT")
        """,
    "unmounting what covers": """
        import ctypes
        for place in (b"/tmp", b"/proc", b"/dev/shm", b"."):
            if ctypes.CDLL(None).umount2(place, 2) == 0: print("OUT", place)
        """,
    "writing again where it may only read": """
        import ctypes
        for place in (b"/", b"/usr"):
            if ctypes.CDLL(None).mount(None, place, None, 32 | 4096, None) == 0: print("OUT")
        """,
    "raw sockets": """
        import socket
        socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
        print("OUT")
        """,
    "packet sockets": """
        import socket
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        print("OUT")
        """,
    "another root": """
        import os
        os.mkdir("r")
        os.chroot("r")
        print("OUT")
        """,
    "another user": """
        import os
        os.setuid(1000)
        print("OUT")
        """,
    "the name of the machine": """
        import socket
        socket.sethostname("mine")
        print("OUT")
        """,
    # What would change the machine is only opened, or set to what it is already.
    "the clock": """
        import time
        time.clock_settime(time.CLOCK_REALTIME, time.time())
        print("OUT")
        """,
    "settings of the kernel": """
        import glob, os
        places = glob.glob("/proc/sys/kernel/*") + glob.glob("/proc/sys/vm/*")
        for path in ["/proc/sysrq-trigger", *places]:
            try:
                os.close(os.open(path, os.O_WRONLY))
                print("OUT", path)
            except OSError:
                pass
        """,
    "higher limits": """
        import resource
        for name in ("RLIMIT_AS", "RLIMIT_NPROC", "RLIMIT_FSIZE", "RLIMIT_CPU"):
            resource.setrlimit(getattr(resource, name), (2**40, 2**40))
            print("OUT", name)
        """,
    "files of the machine": """
        import os
        for place in ("/", "/usr", "/etc", "/var", "/home", "/opt", "/root", "/srv", "/usr/bin"):
            try:
                open(os.path.join(place, "paige-was-here"), "w").close()
                print("OUT", place)
            except OSError:
                pass
        """,
}


# Namespaces alone let a program read what its user can, which for root is everything.
TRIED = [(name, way) for name in ESCAPES for way in SHUT if (name, way) != READS_AS_ROOT]


@pytest.mark.parametrize(("name", "isolation"), TRIED)
def test_there_is_no_way_out_through(name: str, isolation: Isolation) -> None:
    assert "OUT" not in play(ESCAPES[name], isolation).stdout


def test_no_further_namespaces_can_be_made_inside() -> None:
    code = """
        import ctypes
        print(ctypes.CDLL(None).unshare(0x10000000))
        """
    assert play(code).stdout == "-1\n"


def test_sockets_without_a_file_do_not_reach_others() -> None:
    code = """
        import socket
        one = socket.socket(socket.AF_UNIX)
        try:
            one.connect("\\0paige-test")
            print("OUT")
        except ConnectionRefusedError:
            print("refused")
        """
    for isolation in SHUT:
        assert play(code, isolation).stdout == "refused\n"


@pytest.mark.parametrize("place", ["/tmp", "/dev/shm", "."])
def test_every_place_it_can_write_to_is_small(place: str) -> None:
    code = f"""
        for number in range(40):
            with open({place!r} + f"/f{{number}}", "wb") as file:
                file.write(b"0" * 2**20)
        print("OUT")
        """
    done = play(code)
    assert done.stdout == ""
    assert done.ending == "disk", done.stderr


def test_a_sparse_file_is_not_larger_than_it_may_be() -> None:
    done = play("open('s', 'wb').truncate(2**40); print('OUT')")
    assert "OUT" not in done.stdout


def test_the_devices_folder_is_no_place_for_files() -> None:
    assert "OUT" not in play("open('/dev/mine', 'wb').write(b'0'); print('OUT')").stdout


STRAINS = {
    "files held open": """
        held = []
        try:
            while True: held.append(open("main.py"))
        except OSError as error: print(error.strerror)
        """,
    "long names": """
        import os
        try:
            open("x" * 100_000, "w")
        except OSError as error: print(error.strerror)
        name = "d" * 200
        for _ in range(500):
            os.mkdir(name)
            os.chdir(name)
        """,
    "deep recursion": """
        def deeper(): return deeper()
        try: deeper()
        except RecursionError: print("RecursionError")
        """,
    "many threads": """
        import threading
        gate = threading.Event()
        try:
            for _ in range(3_000):
                threading.Thread(target=gate.wait, daemon=True).start()
        except (RuntimeError, MemoryError) as error: print("no more")
        gate.set()
        """,
    "bytes that are no text": """
        import os
        os.write(1, b"\\xff\\xfe\\x00 fine\\n")
        """,
    "signals to everybody": """
        import os, signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1):
            signal.signal(number, signal.SIG_IGN)
            for target in (0, -1):
                try: os.kill(target, number)
                except OSError: pass
        print("still here")
        """,
}


@pytest.mark.parametrize("name", STRAINS)
def test_the_machine_bears(name: str) -> None:
    done = play(STRAINS[name])
    assert done.ending in ("exit", "processes", "memory", "signal"), done.stderr
    assert done.seconds < QUICK.wall_seconds


def test_one_endless_line_and_a_flood_of_errors_are_cut() -> None:
    for code in ("print('x' * 10_000_000)", "import sys\nwhile True: sys.stderr.write('e' * 9999)"):
        done = play(code)
        assert done.ending == "output"
        assert len(done.stdout) + len(done.stderr) <= 2 * QUICK.output_bytes


def test_input_that_nobody_reads_holds_nothing_up() -> None:
    done = play("print('done')", stdin=b"x" * 20_000_000)
    assert (done.ending, done.stdout) == ("exit", "done\n")


@pytest.mark.parametrize("isolation", [*SHUT, "limits"])
def test_a_daemon_does_not_outlive_the_run(isolation: Isolation) -> None:
    mark = f"paige-daemon-{os.getpid()}-{isolation}"
    code = f"""
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                null = os.open(os.devnull, os.O_RDWR)
                for fd in (0, 1, 2): os.dup2(null, fd)
                os.execv({sys.executable!r}, ["{mark}", "-c", "import time; time.sleep(100)"])
            os._exit(0)
        os.wait()
        time.sleep(0.3)
        print("left")
        """
    done = play(code, isolation)
    assert done.stdout == "left\n", done.stderr
    assert [path for path in Path("/proc").glob("[0-9]*/cmdline") if mark in _text(path)] == []


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode(errors="replace")
    except OSError:
        return ""


def test_a_bomb_leaves_the_machine_usable() -> None:
    code = """
        import os, signal
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        for _ in range(9):
            try: os.fork()
            except OSError: pass
        while True: pass
        """
    done = play(code)
    assert done.ending == "processes"
    assert subprocess.run(["true"]).returncode == 0


def test_nothing_of_the_environment_shows_in_any_process() -> None:
    code = """
        import glob
        for path in glob.glob("/proc/[0-9]*/environ"):
            try: print(open(path).read())
            except OSError: pass
        """
    os.environ["PAIGE_TEST_SECRET"] = "very-secret"
    try:
        assert "very-secret" not in play(code).stdout
    finally:
        del os.environ["PAIGE_TEST_SECRET"]


def test_root_is_asked_to_run_it_as_nobody_only_where_that_works() -> None:
    before = as_nobody()
    assert before == () or before[0] == "setpriv"
    if os.geteuid() != 0:
        assert before == ()
