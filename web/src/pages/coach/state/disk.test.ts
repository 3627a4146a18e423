import { afterEach, expect, test } from "vitest";

import type { Services } from "../../../services";
import { cleanUp } from "../testing/set-up";
import { readDisk, useFiles } from "./files";

const PATH = "shop.py";

afterEach(cleanUp);

/** A server that answers a read when the test says so, with what it says. */
function slowServer(): { services: Pick<Services, "api">; answers: ((content: string) => void)[] } {
  const answers: ((content: string) => void)[] = [];
  const file = (): Promise<unknown> =>
    new Promise((resolve) => {
      answers.push((content) => {
        resolve({ path: PATH, content, language: "python", binary: false });
      });
    });
  // Nothing else of the server is asked here.
  return { services: { api: { coach: { file } } } as unknown as Pick<Services, "api">, answers };
}

function open(content: string): void {
  useFiles.getState().takeContent({ path: PATH, content, language: "python", lineCount: 1 }, true);
}

test("what the disk holds now is taken over", async () => {
  const { services, answers } = slowServer();
  open("old");
  const read = readDisk(services, PATH);
  answers[0]?.("theirs");
  await read;
  expect(useFiles.getState().files[PATH]?.saved).toBe("theirs");
});

test("an answer that is older than a save does not bring the old text back", async () => {
  const { services, answers } = slowServer();
  open("old");
  const read = readDisk(services, PATH);
  useFiles.getState().changeFile(PATH, { saving: "new" });
  useFiles.getState().changeFile(PATH, { saved: "new", saving: null });
  answers[0]?.("old");
  await expect.poll(() => answers.length).toBe(2);
  expect(useFiles.getState().files[PATH]?.saved).toBe("new");
  answers[1]?.("new");
  await read;
  expect(useFiles.getState().files[PATH]?.saved).toBe("new");
});

test("a file that was closed meanwhile stays closed", async () => {
  const { services, answers } = slowServer();
  open("old");
  const read = readDisk(services, PATH);
  useFiles.getState().close(PATH);
  answers[0]?.("old");
  await read;
  expect(useFiles.getState().files[PATH]).toBeUndefined();
});
