/** The texts of the page where somebody with a code answers a worksheet. */

import { words } from "../../locale/words";

export const answerStrings = words("answer", {
  title: "Worksheet",
  loading: "Opening the worksheet…",
  failed: "The worksheet could not be opened",
  failedHint: "Paige may have been updated or stopped. Try again, or reload the page.",
  code: {
    heading: "Answer a worksheet",
    lead: "Type the code from your strip. You need no name and no account.",
    label: "Code",
    hint: "Three groups of three, such as `k7m-q2x-pd9`.",
    open: "Open the worksheet",
  },
  noName: "Write no name: nobody needs to know who you are.",
  openUntil: (moment: string) => `Open until ${moment}.`,
  closed: "This worksheet is closed. You can read it, and nothing can be changed any more.",
  section: (number: number, title: string) => (title === "" ? `Part ${number}` : `Part ${number}: ${title}`),
  blank: (at: number, count: number) => `Answer ${at} of ${count}`,
  progress: (done: number, total: number) => `${done} of ${total} questions answered`,
  handIn: "Hand in",
  handInAgain: "Hand in again",
  arrived: "Your answers have arrived.",
  arrivedHint: (moment: string) => `Handed in on ${moment}. You may change them until the worksheet is closed; hand them in again then.`,
  saving: "Saving…",
  saved: "Saved",
  unsaved: "Not saved yet",
  saveFailed: "Not saved",
  merged: "This code was used on another device as well. Both were put together; look at these questions:",
  there: (id: string, text: string) => `${id}: on the other device it says “${text}”`,
});
