"""What a coding CLI starts: `python -I -S entry.py <cli> <event>`; short, as it is never cached.

An older Python must be able to read this page too: it says what is wrong, and a gate stays shut.
"""

import sys

GATES = ("PreToolUse", "PermissionRequest", "BeforeTool", "preToolUse", "permissionRequest")
try:
    if sys.version_info < (3, 11):  # noqa: UP036 - hosts may start another Python
        raise RuntimeError("it needs Python 3.11 or newer; run `paige install` again")
    FOLDER = __file__.replace("\\", "/").rsplit("/", 1)[0]
    sys.path.insert(0, FOLDER.rsplit("/paige/", 1)[0])
    try:
        # Every module of the fast path in one file; without it they are imported one by one.
        FILE = FOLDER + "/__pycache__/lean." + sys.implementation.cache_tag + ".bin"
        with open(FILE, "rb", 0) as f:
            HEAD = f.read(8)
            if HEAD[:4] == sys.modules["_frozen_importlib_external"].MAGIC_NUMBER:
                import marshal

                PARTS = marshal.loads(f.read(int.from_bytes(HEAD[4:], "little")))
                exec(PARTS[0], {"PARTS": PARTS, "FILE": FILE})
    except (OSError, ValueError, TypeError, EOFError, IndexError):
        pass
    from paige.hooks.fast import main

    main()
except BaseException as error:  # noqa: BLE001 - whatever it is, a gate must not open
    sys.stderr.write("Paige cannot start: %s\n" % error)  # noqa: UP031 - any Python reads this
    EVENT = sys.argv[2] if len(sys.argv) > 2 else ""
    sys.exit(2 if not EVENT or EVENT[0] == "-" or EVENT in GATES else 1)
