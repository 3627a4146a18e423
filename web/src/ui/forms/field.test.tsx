import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode, useState } from "react";
import { expect, test } from "vitest";

import { TextArea, TextField, Tick } from "./field";

function Form({ error }: { error: Error | null }): ReactNode {
  const [name, setName] = useState("");
  return <TextField label="Name" about="may be empty" hint="Such as `ada`" error={error} value={name} onChange={setName} />;
}

test("a field says its hint, and what is wrong with it, to those who hear it", async () => {
  const { rerender } = render(<Form error={null} />);
  const field = screen.getByLabelText<HTMLInputElement>(/Name/);
  await userEvent.type(field, "ada");
  expect(field.value).toBe("ada");
  expect(described(field)).toBe("Such as ada");
  expect(field.getAttribute("aria-invalid")).toBeNull();
  rerender(<Form error={new Error("There is one of that name")} />);
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(described(field)).toBe("Such as adaThere is one of that name");
});

test("code is not corrected while it is typed", () => {
  render(<TextArea label="Command" isCode value="" onChange={() => undefined} />);
  const area = screen.getByLabelText("Command");
  expect(area.getAttribute("spellcheck")).toBe("false");
  expect(area.getAttribute("autocapitalize")).toBe("off");
});

test("a tick is ticked by its words", async () => {
  const ticks: boolean[] = [];
  render(<Tick label="Even so" hint="It is kept." isTicked={false} onTick={(is) => ticks.push(is)} />);
  await userEvent.click(screen.getByText("Even so"));
  expect(ticks).toEqual([true]);
  expect(described(screen.getByRole("checkbox"))).toBe("It is kept.");
});

function described(field: HTMLElement): string {
  const ids = field.getAttribute("aria-describedby")?.split(" ") ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent ?? "").join("");
}
