import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode } from "react";
import { expect, test, vi } from "vitest";

import { strings } from "../strings";
import { CrashGuard } from "./crash-guard";

test("a page that breaks is explained and can be tried again", async () => {
  const quiet = vi.spyOn(console, "error").mockReturnValue();
  let broken = true;
  function Page(): ReactNode {
    if (broken) throw new Error("no such field");
    return <p>fine</p>;
  }
  render(
    <CrashGuard>
      <Page />
    </CrashGuard>,
  );
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(strings.errors.crashed);
  broken = false;
  await userEvent.click(screen.getByRole("button", { name: strings.errors.retry }));
  expect(screen.getByText("fine")).toBeTruthy();
  quiet.mockClear();
});
