/** The words about what a class gets wrong. */

import { words } from "./locale/words";

export const classStrings = words("planClass", {
  heading: (id: string) => `What ${id} gets wrong`,
  lead: (fewest: number) => `Shown from ${fewest} learners on, never by name. The next lesson plan takes it up.`,
  none: (fewest: number) => `Nothing that ${fewest} learners get wrong is known.`,
  caption: (id: string) => `What learners of ${id} get wrong, the most frequent first`,
  columns: ["What goes wrong", "Learners"] as [string, string],
  learners: (count: number) => `${count} learners`,
  name: (title: string, idea: string) => `${title}: ${idea}`,
  example: (text: string) => `As in ${text}.`,
  since: (day: string) => `Since ${day}.`,
  failed: "What the class gets wrong could not be read",
});
