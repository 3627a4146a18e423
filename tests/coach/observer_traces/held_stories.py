"""The stories behind the traces kept from tuning."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Story:
    """What happened, what is right about it, and how the client writes it down."""

    signal: str
    phase: dict[str, Any] | str | None
    lines: str
    later: float = 5
    stage: str | None = None
    path_in_data: bool = False
    numbers: bool = False


def phase(number: int, title: str, description: str, *files: str) -> dict[str, Any]:
    """A phase."""
    return {
        "number": number,
        "title": title,
        "description": description,
        "expected_files": list(files),
    }


CACHE = phase(
    1,
    "Expire entries",
    "Entries of the cache should expire after their time to live.",
    "lib/cache/ttl.rb",
)
UPLOAD = phase(
    3,
    "Limit uploads",
    "Refuse files over 5 MB with a message people understand.",
    "server/routes/upload.js",
    "server/validators/size.js",
)
ROUND = phase(
    2,
    "Round the invoice",
    "Round each line of the invoice to cents before they are added up.",
    "billing/invoice.py",
)
SEARCH = phase(
    1,
    "Read the query parser",
    "Understand how the query parser splits phrases.",
    "pkg/query/parser.go",
)
LOGIN = phase(
    2,
    "Lock after five attempts",
    "Lock an account for ten minutes after five wrong passwords.",
    "src/Security/LoginGuard.php",
    "src/Security/AttemptStore.php",
)
MENU = phase(
    4,
    "Close the menu with Escape",
    "The menu should close with Escape and give back the focus.",
    "components/Menu.vue",
)
OPEN_ENDED = phase(
    1, "Make the importer faster", "Find out why the importer is slow and read the file in parts."
)
WRITE_TEST = phase(
    1,
    "Write a failing test",
    "Show the bug in the totals with a test before you fix it.",
    "tests/test_totals.py",
)
FOLDER = phase(
    2, "Move the mails", "Let mails be sent by the queue.", "app/mails/", "app/queue/*.py"
)

STORIES: tuple[Story, ...] = (
    # ---- wrong file ----
    Story(
        "wrong_file",
        CACHE,
        """
0 ps
8 o lib/cache/store.rb
20 u lib/cache/store.rb charCount=1204
29 u lib/cache/store.rb charCount=1231
41 u lib/cache/store.rb charCount=1260
55 u lib/cache/store.rb charCount=1302
70 s lib/cache/store.rb charCount=1302
88 u lib/cache/store.rb charCount=1340""",
        stage="novice",
    ),
    Story(
        "wrong_file",
        UPLOAD,
        """
0 ps
10 o server/routes/upload.js
34 sel server/routes/upload.js textLength=40
60 o server/routes/download.js
75 u server/routes/download.js
83 u server/routes/download.js
95 u server/routes/download.js
104 u server/routes/download.js
120 s server/routes/download.js
131 u server/routes/download.js
140 u server/routes/download.js""",
        stage="advanced_beginner",
    ),
    Story(
        "wrong_file",
        ROUND,
        """
0 o billing/invoice.py
15 tab billing/receipt.py
22 u billing/receipt.py charDelta=14
40 u billing/receipt.py charDelta=22
66 u billing/receipt.py charDelta=-3
90 u billing/receipt.py charDelta=31
125 s billing/receipt.py
160 u billing/receipt.py charDelta=12
190 s billing/receipt.py""",
        stage="competent",
        numbers=True,
    ),
    Story(
        "wrong_file",
        LOGIN,
        """
0 ps
5 o src/Security/LoginGuard.php
30 o src/Controller/LoginController.php
48 sum src/Controller/LoginController.php editCount=7 charDelta=120 charCount=3020
78 sum src/Controller/LoginController.php editCount=9 charDelta=44 charCount=3064
108 sum src/Controller/LoginController.php editCount=5 charDelta=80 charCount=3144
120 s src/Controller/LoginController.php charCount=3144""",
        later=20,
    ),
    Story(
        "wrong_file",
        MENU,
        """
0 ps
12 o components/Dialog.vue
30 sel components/Dialog.vue
44 u components/Dialog.vue
52 u components/Dialog.vue
61 u components/Dialog.vue
70 mcp toolName=paige_get_buffer
72 u components/Dialog.vue
85 u components/Dialog.vue
99 s components/Dialog.vue""",
        path_in_data=True,
        stage="novice",
    ),
    Story(
        "wrong_file",
        CACHE,
        """
0 ps
20 o lib/http/cache_headers.rb
45 big lib/http/cache_headers.rb previousCharCount=300 newCharCount=1100 delta=800
80 s lib/http/cache_headers.rb
110 u lib/http/cache_headers.rb
140 s lib/http/cache_headers.rb""",
        stage="proficient",
    ),
    Story(
        "wrong_file",
        WRITE_TEST,
        """
0 ps
15 o src/totals.py
30 u src/totals.py
40 u src/totals.py
52 u src/totals.py
63 u src/totals.py
70 s src/totals.py
90 u src/totals.py""",
        stage="novice",
    ),
    Story(
        "wrong_file",
        ROUND,
        """
0 n signal=wrong_file confidence=80
200 u shop/prices.py
212 u shop/prices.py
224 u shop/prices.py
239 u shop/prices.py
251 s shop/prices.py
270 u shop/prices.py""",
        stage="novice",
    ),
    # ---- scope drift ----
    Story(
        "scope_drift",
        ROUND,
        """
0 ps
5 o billing/invoice.py
20 u billing/invoice.py
33 s billing/invoice.py
60 o web/static/site.css
66 u web/static/site.css
75 u web/static/site.css
80 s web/static/site.css
95 o web/templates/base.html
99 u web/templates/base.html
112 u web/templates/base.html
120 s web/templates/base.html
140 o README.md
150 u README.md
165 u README.md
170 s README.md""",
        stage="novice",
    ),
    Story(
        "scope_drift",
        CACHE,
        """
0 o lib/logger.rb
10 u lib/logger.rb charCount=400
25 u lib/logger.rb charCount=460
31 s lib/logger.rb charCount=460
50 o lib/mailer/templates.rb
62 u lib/mailer/templates.rb charCount=900
75 u lib/mailer/templates.rb charCount=980
90 s lib/mailer/templates.rb charCount=980
110 o config/boot.rb
121 u config/boot.rb charCount=200
130 u config/boot.rb charCount=222
140 s config/boot.rb charCount=222""",
        stage="competent",
    ),
    Story(
        "scope_drift",
        UPLOAD,
        """
0 ps
9 o server/routes/upload.js
30 sum server/routes/upload.js editCount=4 charDelta=90 charCount=900
60 sum client/theme/dark.js editCount=8 charDelta=200 charCount=1200
90 sum client/theme/light.js editCount=8 charDelta=190 charCount=1300
120 sum client/components/Logo.jsx editCount=6 charDelta=40 charCount=700
131 s client/components/Logo.jsx""",
        path_in_data=True,
    ),
    Story(
        "scope_drift",
        MENU,
        """
0 ps
30 o docs/changelog.md
41 u docs/changelog.md
50 u docs/changelog.md
55 u docs/changelog.md
61 s docs/changelog.md
80 o .github/workflows/ci.yml
95 u .github/workflows/ci.yml
104 u .github/workflows/ci.yml
111 u .github/workflows/ci.yml
120 s .github/workflows/ci.yml""",
        stage="advanced_beginner",
        later=15,
    ),
    Story(
        "scope_drift",
        OPEN_ENDED,
        """
0 ps
10 o web/header.html
20 u web/header.html
30 u web/header.html
38 s web/header.html
50 o web/footer.html
61 u web/footer.html
70 u web/footer.html
75 s web/footer.html
90 o styles/print.css
99 u styles/print.css
110 u styles/print.css
118 s styles/print.css""",
        stage="novice",
    ),
    Story(
        "scope_drift",
        LOGIN,
        """
0 o src/Security/LoginGuard.php
40 u src/Security/LoginGuard.php
55 s src/Security/LoginGuard.php
100 o src/Report/PdfWriter.php
115 u src/Report/PdfWriter.php
126 u src/Report/PdfWriter.php
140 u src/Report/PdfWriter.php
150 s src/Report/PdfWriter.php
170 o src/Mail/Template.php
188 u src/Mail/Template.php
200 u src/Mail/Template.php
214 u src/Mail/Template.php
222 s src/Mail/Template.php
240 tab src/Report/PdfWriter.php
255 u src/Report/PdfWriter.php""",
        numbers=True,
    ),
    # ---- idle ----
    Story(
        "idle",
        CACHE,
        """
0 ps
10 o lib/cache/ttl.rb
30 sel lib/cache/ttl.rb
44 sel lib/cache/ttl.rb""",
        later=400,
        stage="novice",
    ),
    Story(
        "idle",
        ROUND,
        """
0 ps
10 o billing/invoice.py
30 u billing/invoice.py
44 s billing/invoice.py
50 t passed=3 failed=2""",
        later=700,
        stage="competent",
    ),
    Story("idle", None, "0 session_started issueNumber=4\n9 o src/app.py", later=450),
    Story(
        "idle",
        UPLOAD,
        """
0 ps
10 o server/routes/upload.js
200 idle lastActionTimestamp=0""",
        later=300,
        stage="advanced_beginner",
    ),
    Story(
        "idle",
        SEARCH,
        """
0 ps
15 o pkg/query/parser.go
40 o pkg/query/lexer.go
80 sel pkg/query/lexer.go
90 mcp toolName=paige_get_open_files
95 mcp toolName=paige_get_session_state""",
        later=600,
        stage="novice",
        numbers=True,
    ),
    Story(
        "idle",
        MENU,
        """
0 o components/Menu.vue
10 u components/Menu.vue
21 u components/Menu.vue
33 u components/Menu.vue""",
        later=520,
        stage="expert",
    ),
    Story(
        "idle",
        LOGIN,
        """
0 ps
30 o src/Controller/LoginController.php
50 u src/Controller/LoginController.php
60 n signal=wrong_file confidence=80""",
        later=480,
        stage="novice",
    ),
    Story(
        "idle", "Find out where the totals are added up", "0 o src/a.py\n20 ex src/a.py", later=1500
    ),
    # ---- phase complete ----
    Story(
        "phase_complete",
        ROUND,
        """
0 ps
10 o billing/invoice.py
30 u billing/invoice.py charCount=800
44 u billing/invoice.py charCount=840
60 s billing/invoice.py charCount=840
75 t passed=14 failed=0""",
        stage="novice",
    ),
    Story(
        "phase_complete",
        UPLOAD,
        """
0 ps
10 o server/routes/upload.js
30 u server/routes/upload.js
41 s server/routes/upload.js
60 t passed=5 failed=1
80 o server/validators/size.js
99 u server/validators/size.js
110 u server/validators/size.js
120 s server/validators/size.js
131 t passed=6 failed=0""",
        later=25,
        stage="expert",
    ),
    Story(
        "phase_complete",
        LOGIN,
        """
0 ps
9 o src/Security/LoginGuard.php
20 sum src/Security/LoginGuard.php editCount=9 charDelta=300 charCount=2000
50 s src/Security/LoginGuard.php charCount=2000
60 o tests/Security/LoginGuardTest.php
90 sum tests/Security/LoginGuardTest.php editCount=9 charDelta=400 charCount=900
99 s tests/Security/LoginGuardTest.php
120 o src/Security/AttemptStore.php
150 sum src/Security/AttemptStore.php editCount=5 charDelta=99 charCount=700
160 s src/Security/AttemptStore.php
170 t passed=22 failed=0
190 o README.md""",
        path_in_data=True,
    ),
    Story(
        "phase_complete",
        CACHE,
        """
0 ps
9 o /home/kim/gem/lib/cache/ttl.rb
20 u /home/kim/gem/lib/cache/ttl.rb
31 u /home/kim/gem/lib/cache/ttl.rb
44 s /home/kim/gem/lib/cache/ttl.rb
52 t passed=9 failed=0""",
        stage="competent",
        numbers=True,
    ),
    Story(
        "phase_complete",
        MENU,
        """
0 o components/Menu.vue
30 u components/Menu.vue
42 s components/Menu.vue
55 t passed=0 failed=2
70 u components/Menu.vue
82 s components/Menu.vue
90 t passed=2 failed=0
100 rev""",
        later=60,
    ),
    Story(
        "phase_complete",
        FOLDER,
        """
0 ps
20 o app/mails/welcome.py
40 u app/mails/welcome.py
52 s app/mails/welcome.py
60 o app/queue/worker.py
75 u app/queue/worker.py
88 s app/queue/worker.py
99 t passed=31 failed=0""",
        stage="advanced_beginner",
    ),
    # ---- edit loop ----
    Story(
        "edit_loop",
        ROUND,
        """
0 o billing/invoice.py
10 u billing/invoice.py content=round(x)
40 u billing/invoice.py content=round(x,2)
70 u billing/invoice.py content=round(x)
95 u billing/invoice.py content=floor(x)
120 u billing/invoice.py content=round(x)
150 u billing/invoice.py content=ceil(x)
180 u billing/invoice.py content=round(x)""",
        stage="novice",
    ),
    Story(
        "edit_loop",
        CACHE,
        """
0 o lib/cache/ttl.rb
12 u lib/cache/ttl.rb charCount=500
30 u lib/cache/ttl.rb charCount=548
61 u lib/cache/ttl.rb charCount=501
90 u lib/cache/ttl.rb charCount=550
118 u lib/cache/ttl.rb charCount=500
140 u lib/cache/ttl.rb charCount=545
170 u lib/cache/ttl.rb charCount=500""",
        stage="competent",
    ),
    Story(
        "edit_loop",
        UPLOAD,
        """
0 o server/routes/upload.js
20 u server/routes/upload.js charDelta=40
45 u server/routes/upload.js charDelta=-40
70 u server/routes/upload.js charDelta=38
99 u server/routes/upload.js charDelta=-38
130 u server/routes/upload.js charDelta=44
160 u server/routes/upload.js charDelta=-44""",
        numbers=True,
    ),
    Story(
        "edit_loop",
        MENU,
        """
0 o components/Menu.vue
15 u components/Menu.vue
30 s components/Menu.vue
36 t passed=4 failed=1
60 u components/Menu.vue
75 s components/Menu.vue
82 t passed=4 failed=1
110 u components/Menu.vue
122 s components/Menu.vue
130 t passed=4 failed=1
155 u components/Menu.vue
170 s components/Menu.vue
178 t passed=4 failed=1
200 u components/Menu.vue""",
        stage="novice",
    ),
    Story(
        "edit_loop",
        LOGIN,
        """
0 o src/Security/LoginGuard.php
30 u src/Security/LoginGuard.php hash=a1
60 u src/Security/LoginGuard.php hash=b2
90 u src/Security/LoginGuard.php hash=a1
120 u src/Security/LoginGuard.php hash=b2
150 u src/Security/LoginGuard.php hash=a1
180 u src/Security/LoginGuard.php hash=b2
200 u src/Security/LoginGuard.php hash=a1""",
        path_in_data=True,
    ),
    Story(
        "edit_loop",
        SEARCH,
        """
0 o pkg/query/parser.go
30 s pkg/query/parser.go charCount=2000
60 s pkg/query/parser.go charCount=2090
95 s pkg/query/parser.go charCount=2000
130 s pkg/query/parser.go charCount=2085
170 s pkg/query/parser.go charCount=2001
210 s pkg/query/parser.go charCount=2090
240 s pkg/query/parser.go charCount=2000""",
        stage="advanced_beginner",
    ),
    Story(
        "edit_loop",
        None,
        """
0 o src/x.py
20 u src/x.py content=aaaa
50 u src/x.py content=aaaabbbb
80 u src/x.py content=aaaa
110 u src/x.py content=aaaacccc
140 u src/x.py content=aaaa""",
        stage="novice",
    ),
    Story(
        "edit_loop",
        ROUND,
        """
0 o billing/invoice.py
30 sum billing/invoice.py editCount=14 charDelta=1 charCount=800
60 sum billing/invoice.py editCount=11 charDelta=-2 charCount=798
90 sum billing/invoice.py editCount=16 charDelta=2 charCount=800
120 sum billing/invoice.py editCount=12 charDelta=0 charCount=800""",
        stage="novice",
    ),
    # ---- nothing to say ----
    Story(
        "no_nudge",
        CACHE,
        """
0 ps
10 o lib/cache/ttl.rb
20 u lib/cache/ttl.rb charCount=300
33 u lib/cache/ttl.rb charCount=340
41 u lib/cache/ttl.rb charCount=390
55 u lib/cache/ttl.rb charCount=388
66 u lib/cache/ttl.rb charCount=420
80 s lib/cache/ttl.rb charCount=420""",
    ),
    Story(
        "no_nudge",
        CACHE,
        """
0 ps
10 o spec/cache/ttl_spec.rb
20 u spec/cache/ttl_spec.rb
33 u spec/cache/ttl_spec.rb
41 u spec/cache/ttl_spec.rb
55 u spec/cache/ttl_spec.rb
66 u spec/cache/ttl_spec.rb
80 s spec/cache/ttl_spec.rb""",
        stage="novice",
    ),
    Story(
        "no_nudge",
        UPLOAD,
        """
0 ps
10 o server/routes/download.js
30 sel server/routes/download.js
60 o server/app.js
90 sel server/app.js
120 o server/validators/size.js""",
        stage="novice",
    ),
    Story(
        "no_nudge",
        UPLOAD,
        """
0 ps
10 o server/app.js
20 u server/app.js
25 s server/app.js
40 o server/routes/upload.js
60 u server/routes/upload.js
70 u server/routes/upload.js""",
        stage="novice",
    ),
    Story(
        "no_nudge",
        ROUND,
        """
0 o shop/prices.py
10 u shop/prices.py
20 u shop/prices.py
30 u shop/prices.py
44 u shop/prices.py
50 s shop/prices.py
58 n signal=wrong_file confidence=80
70 u shop/prices.py
90 u shop/prices.py""",
        later=30,
        stage="novice",
    ),
    Story(
        "no_nudge",
        ROUND,
        """
0 mute muted=true
20 u shop/prices.py
30 u shop/prices.py
40 u shop/prices.py
50 u shop/prices.py
60 u shop/prices.py
70 s shop/prices.py""",
        stage="novice",
    ),
    Story(
        "no_nudge",
        ROUND,
        """
0 ps
10 o billing/invoice.py
30 u billing/invoice.py
44 s billing/invoice.py
50 t passed=3 failed=2""",
        later=240,
        stage="novice",
    ),
    Story(
        "no_nudge",
        UPLOAD,
        """
0 ps
10 o server/routes/upload.js
30 u server/routes/upload.js
41 s server/routes/upload.js
60 t passed=5 failed=0""",
        stage="novice",
    ),
    Story(
        "no_nudge",
        ROUND,
        """
0 ps
10 o billing/invoice.py
30 u billing/invoice.py
44 s billing/invoice.py
60 t passed=9 failed=0
75 u billing/invoice.py
90 u billing/invoice.py""",
        stage="novice",
    ),
    Story(
        "no_nudge",
        ROUND,
        """
0 ps
10 o billing/invoice.py
30 u billing/invoice.py
44 s billing/invoice.py
60 t passed=9 failed=0
70 pc phaseNumber=2""",
        stage="novice",
        later=20,
    ),
    Story(
        "no_nudge",
        MENU,
        """
0 o components/Menu.vue
10 u components/Menu.vue
20 s components/Menu.vue
22 t passed=1 failed=4
44 u components/Menu.vue
50 s components/Menu.vue
52 t passed=3 failed=2
71 u components/Menu.vue
77 s components/Menu.vue
80 t passed=4 failed=1
99 u components/Menu.vue""",
        stage="novice",
    ),
    Story(
        "no_nudge",
        MENU,
        """
0 o components/Menu.vue
2 s components/Menu.vue
4 o components/Menu.css
7 s components/Menu.css
11 tab components/Menu.vue
14 sel components/Menu.vue
19 s components/Menu.vue
22 o docs/a.md
27 s docs/a.md
31 sel docs/a.md
36 s docs/b.md
40 o docs/b.md
44 s docs/a.md
49 s docs/b.md""",
        later=1,
        stage="novice",
    ),
    Story(
        "no_nudge",
        LOGIN,
        """
0 o src/Security/LoginGuard.php
20 u src/Security/LoginGuard.php content=one
30 u src/Security/LoginGuard.php content=two
36 u src/Security/LoginGuard.php content=one
50 u src/Security/LoginGuard.php content=three
66 u src/Security/LoginGuard.php content=four
80 s src/Security/LoginGuard.php""",
        stage="novice",
    ),
    Story(
        "no_nudge",
        LOGIN,
        """
0 o src/Security/LoginGuard.php
20 u src/Security/LoginGuard.php charCount=900
40 u src/Security/LoginGuard.php charCount=300
60 u src/Security/LoginGuard.php charCount=420
80 u src/Security/LoginGuard.php charCount=600
99 u src/Security/LoginGuard.php charCount=780
120 s src/Security/LoginGuard.php charCount=800""",
    ),
    Story(
        "no_nudge",
        SEARCH,
        """
0 ps
10 o pkg/query/parser.go
40 sel pkg/query/parser.go
80 sel pkg/query/parser.go
130 ex pkg/query/parser.go
200 sel pkg/query/parser.go
260 o pkg/query/lexer.go
300 sel pkg/query/lexer.go""",
        later=60,
    ),
    Story(
        "no_nudge",
        None,
        """
0 session_started issueNumber=3
20 o a.py
30 u a.py
40 u a.py
50 u b.py
60 u b.py
70 s b.py
80 s a.py""",
        stage="novice",
    ),
    Story(
        "no_nudge",
        FOLDER,
        """
0 ps
20 o app/mails/reminder.py
40 u app/mails/reminder.py
52 u app/mails/reminder.py
60 u app/mails/reminder.py
66 u app/mails/reminder.py
71 s app/mails/reminder.py
80 o app/queue/jobs.py
91 u app/queue/jobs.py""",
        stage="novice",
    ),
    Story(
        "no_nudge",
        OPEN_ENDED,
        """
0 ps
10 o etl/importer.py
20 u etl/importer.py
30 u etl/importer.py
38 s etl/importer.py
50 o etl/reader.py
61 u etl/reader.py
70 u etl/reader.py
75 s etl/reader.py""",
        stage="novice",
    ),
    Story(
        "no_nudge",
        UPLOAD,
        """
0 ps
10 o server/routes/upload.js
22 u server/routes/upload.js
40 u server/routes/upload.js
50 o package.json
60 u package.json
66 s package.json""",
        stage="novice",
    ),
    Story(
        "no_nudge",
        ROUND,
        """
0 ps
10 o billing/receipt.py
40 u billing/receipt.py
50 u billing/receipt.py
60 s billing/receipt.py""",
        stage="expert",
    ),
    Story(
        "no_nudge",
        ROUND,
        """
0 o billing/invoice.py
400 idle lastActionTimestamp=0
900 back
905 o billing/invoice.py""",
        stage="novice",
        later=30,
    ),
    Story(
        "no_nudge",
        MENU,
        """
0 ps
20 o components/Menu.vue
30 u components/Menu.vue
45 o components/Menu.test.js
60 u components/Menu.test.js
66 u components/Menu.test.js
70 s components/Menu.test.js
75 t passed=0 failed=1
90 o components/Menu.vue
99 u components/Menu.vue
104 s components/Menu.vue
110 t passed=0 failed=1
125 u components/Menu.vue""",
        stage="advanced_beginner",
    ),
    Story(
        "no_nudge",
        CACHE,
        """
0 o lib/cache/store.rb
10 u lib/cache/store.rb
20 u lib/cache/store.rb
30 u lib/cache/store.rb
40 u lib/cache/store.rb
50 s lib/cache/store.rb
70 tab lib/cache/ttl.rb
90 sel lib/cache/ttl.rb""",
        stage="novice",
        numbers=True,
    ),
    Story("no_nudge", CACHE, "", stage="novice"),
    Story(
        "no_nudge",
        CACHE,
        """
0 heartbeat
10 weather_changed mood=sunny
20 o lib/cache/ttl.rb
30 quantum_leap lib/other.rb x=1
31 u lib/cache/ttl.rb
33 u""",
        stage="wizard",
    ),
    Story(
        "no_nudge",
        ROUND,
        """
0 ps
10 o billing/invoice.py
30 u billing/invoice.py
44 s billing/invoice.py
60 t passed=9 failed=0
65 n signal=phase_complete confidence=90
130 sel billing/invoice.py""",
        stage="novice",
        later=80,
    ),
    Story(
        "no_nudge",
        LOGIN,
        """
0 ps
10 o src/Controller/LoginController.php
30 u src/Controller/LoginController.php
45 u src/Controller/LoginController.php
60 s src/Controller/LoginController.php
70 o src/Security/LoginGuard.php
90 u src/Security/LoginGuard.php
105 u src/Security/LoginGuard.php
120 s src/Security/LoginGuard.php""",
        stage="novice",
    ),
)
