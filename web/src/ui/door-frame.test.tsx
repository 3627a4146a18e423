import { render, screen, within } from "@testing-library/react";
import { Activity } from "lucide-react";
import { expect, test } from "vitest";

import { DoorFrame } from "./door-frame";

const WAYS = { label: "Pages", ways: [{ name: "Runs", href: "/traces" }, { name: "Costs", href: "/costs" }], here: "/costs" };

test("a page of a door is named in the tab and read out behind the heading", () => {
  render(
    <DoorFrame door="desk" icon={Activity} heading="Traces" page="Costs" ways={WAYS}>
      <p>Content</p>
    </DoorFrame>,
  );
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Traces: Costs");
  expect(document.title).toBe("Costs · Paige");
  const ways = within(screen.getByRole("navigation", { name: "Pages" }));
  expect(ways.getByRole("link", { current: "page" }).textContent).toBe("Costs");
  expect(screen.getByText("Content").closest("[data-door]")?.getAttribute("data-door")).toBe("desk");
});

test("the heading takes the focus that a link gives it", () => {
  render(<DoorFrame door="guard" icon={Activity} heading="Guard" lead="For everybody" />);
  const heading = screen.getByRole("heading", { level: 1, name: "Guard" });
  heading.focus();
  expect(document.activeElement).toBe(heading);
  expect(screen.getByText("For everybody")).toBeTruthy();
});
