/** Every text of the Plan page that does not come from the server: the frame, the workspace, the sessions. */

import { words } from "./locale/words";
import { planChat } from "./strings-plan-chat";
import { planDocument } from "./strings-plan-document";
import { planHabits } from "./strings-plan-habits";
import type { PlanFile, PlanSession } from "./wire/generated";

/** What files are called that every workspace has. */
const NAMES: Partial<Record<PlanFile["path"], string>> = {
  "soul.md": "Who the assistant is",
  "teacher.md": "About you",
  "pedagogy.md": "How you teach",
};

export const planStrings = words("plan", {
  panes: {
    label: "Parts of the page",
    workspace: "Workspace",
    chat: "Chat",
    document: "Document",
    hide: "Hide the workspace",
    show: "Show the workspace",
    /** Of the lines between the panes, moved with the mouse or with arrow keys. */
    resizeWorkspace: "Width of the workspace",
    resizeDocument: "Width of the document",
  },

  sessions: {
    heading: "Sessions",
    new: "New request",
    search: "Search sessions",
    loading: "Reading the sessions…",
    failed: "The sessions could not be read",
    empty: "What you ask for is kept here. You can go on with it whenever you like.",
    nothing: "No session holds these words.",
    found: (count: number) => (count === 1 ? "1 session" : `${count} sessions`),
    more: "Show more",
    untitled: "Without a title",
    waiting: (count: number) => (count === 1 ? "1 waits for you" : `${count} wait for you`),
    states: {
      running: "Working",
      waiting: "Waits for you",
      ended: "Done",
      interrupted: "Interrupted",
    } satisfies Record<PlanSession["state"], string>,
    failedState: "Ended early",
  },

  workspace: {
    heading: "Workspace",
    loading: "Reading the workspace…",
    failed: "The workspace could not be read",
    groups: {
      identity: "Assistant",
      profile: "You",
      class: "Classes",
      lesson: "Lessons",
      units: "Units",
      worksheets: "Worksheets",
      curriculum: "Curriculum",
      other: "Other files",
    },
    names: NAMES,
    lessonsEmpty: "Lessons you accept are saved here.",
    changed: "Not saved",
    problems: (count: number) => (count === 1 ? "1 problem" : `${count} problems`),
    notText: "This file cannot be opened here",
    memory: "Memory",
    memoryHint: "What Paige was told to remember. It opens on the Memory page.",
    memoryEmpty: "Nothing is remembered yet. Paige asks at the end of each plan.",
    memoryTeacher: "About you",
    memoryClass: (id: string) => `About ${id}`,
    memoryTopic: (topic: string, id: string | null) => (id === null ? topic : `${id}: ${topic}`),
    new: "New file",
    newPath: "Path of the new file",
    newHint: "`classes/4A.md` for a class, `curriculum/my-course.md` for a curriculum of your own",
    create: "Create",
    creating: "Creating…",
    /** What a new class file begins with: the parts that plans are made from. */
    classTemplate: (id: string) =>
      [
        "---",
        `class: ${id}`,
        "year: S1",
        "subject: ",
        "level: ",
        "size: 25",
        "minutes: 50",
        "---",
        `# ${id}`,
        "",
        "## Ability",
        "",
        "## Needs",
        "",
        "- ",
        "",
        "## What works",
        "",
        "- ",
        "",
        "## Taught so far",
        "",
        "- ",
        "",
      ].join("\n"),
  },

  proposals: {
    heading: "Should I remember this?",
    lead: "Nothing is kept without your yes.",
    teacher: "About you",
    class: (id: string) => `About ${id}`,
    confirm: "Remember it",
    edit: "Other words…",
    save: "Remember these words",
    dismiss: "Do not remember it",
    cancel: "Cancel",
    words: "Better words",
    confirmed: "It is remembered",
    dismissed: "It is not remembered",
    asked: "It is asked in its session.",
    toSession: "Go there",
  },

  ...planChat,
  ...planDocument,
  ...planHabits,
});
