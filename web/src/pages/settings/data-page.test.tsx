import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";

import { STORED_AS } from "../../locale/choose";
import { LanguageChoice, languageStrings } from "./data-page";

test("a language is kept and the page loaded again; the browser can decide again", async () => {
  const reload = vi.fn();
  render(<LanguageChoice reload={reload} />);
  const choice = screen.getByRole("combobox", { name: languageStrings.label });
  await userEvent.selectOptions(choice, "fr");
  expect(localStorage.getItem(STORED_AS)).toBe("fr");
  await userEvent.selectOptions(choice, "");
  expect(localStorage.getItem(STORED_AS)).toBeNull();
  expect(reload).toHaveBeenCalledTimes(2);
});
