import { expect, test } from "vitest";

import { SETUP } from "../testing/samples";
import { renderReport } from "./setup";

test("the report holds every fact, every check and every fix", () => {
  expect(renderReport(SETUP)).toMatchInlineSnapshot(`
    "Paige 1.2.3
    Provider: scripted (Ready) Answers come from a script
    Database: SQLite, paige.db, Schema 0001
    Project: None chosen
    Data folder: paige-data
    Passcode: Not asked for

    Checks:
    - [OK] Database: Opens
    - [Worth a look] Provider: No key
      What to do: Set \`PAIGE_KEY\`.
    - [Broken] Project: Not a repository
      What to do: Run \`git init\`.
    "
  `);
});
