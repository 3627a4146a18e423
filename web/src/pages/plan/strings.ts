/** Every text of the Plan page that does not come from the server: the frame, the workspace, the sessions. */

import { words } from "../../locale/words";
import type { PlanFile, PlanSession } from "../../wire/generated";
import type { ExportFormat } from "./api";

/** A request that suits a class of this subject. */
const REQUESTS: Partial<Record<string, (id: string) => string>> = {
  "Computing Science": (id: string) => `Iteration with for loops for ${id}`,
  Technologies: (id: string) => `Instructions that a robot can follow, for ${id}`,
  Mathematics: (id: string) => `Adding fractions with different denominators for ${id}`,
  French: (id: string) => `Ordering food in a café for ${id}`,
  English: (id: string) => `How a writer builds tension, for ${id}`,
  History: (id: string) => `Why people left the Highlands, for ${id}`,
};

/** What commands are called here; one of another plugin has its own name. */
const COMMANDS: Partial<Record<string, string>> = {
  "create-lesson": "Plan a lesson",
  "refine-lesson": "Change a lesson",
  "cover-lesson": "Cover lesson",
  "unit-overview": "Unit overview",
  worksheet: "Worksheet",
  "update-memory": "Remember something",
};

/** What tools do, in words. */
const STEPS: Partial<Record<string, string>> = {
  read_file: "Read a file",
  list_directory: "Looked through a folder",
  read_skill: "Read about teaching",
  read_memory: "Looked into the memory",
  update_memory: "Made a note for the memory",
  search_sessions: "Looked for earlier sessions",
  read_session: "Read an earlier session",
  update_tasks: "Updated its list of tasks",
  write_file: "Wrote a file",
  str_replace: "Changed a file",
  spawn_subagent: "Asked a specialist",
};

/** Who wrote something, where that is not the name of a provider. */
const SOURCES: Partial<Record<string, string>> = { local: "Made on this machine, without a model" };

/** Why a run ended early. */
const FAILED: Partial<Record<string, string>> = {
  error_hook_abort: "Paige did not go on",
  error_max_turns: "Paige needed too many turns",
  error_max_budget: "This would have cost more than allowed",
  error_tool_retry_exhausted: "A tool failed again and again",
  error_no_progress: "Paige did not get any further",
};

/** The texts of the Plan page's middle: requests, answers, and what Paige asks. */
export const planChat = words("planChat", {
  welcome: {
    heading: "What are you planning?",
    lead:
      "Say it as you would to a colleague. Paige shows you first what it knows about the class, then drafts, and you " +
      "judge every section. Nothing is saved that you have not accepted.",
    examples: "For example",
    classes: "Your classes",
    classesHint: "These are files in your workspace. Change them, or add your own: every plan is made from them.",
    noClasses: "There are no classes in your workspace yet. Make a file such as `classes/4A.md` to plan for one.",
    minutes: (count: number) => `${count} min`,
    open: (id: string) => `Open the file of ${id}`,
    local: "Without a model you get a lesson that Paige comes with, or a frame to fill in.",
    provider: (name: string) => `Drafts are written by \`${name}\`.`,
    problems: "Worth a look in your workspace",
    requests: REQUESTS,
    anyRequest: (id: string) => `A lesson that practises what was taught last, for ${id}`,
  },

  composer: {
    label: "Your request",
    follow: "Ask for more",
    placeholder: "Iteration with for loops for 3B",
    followPlaceholder: "Make the starter shorter",
    command: "What to make",
    class: "For which class",
    anyClass: "Class as requested",
    memory: "With memory",
    send: "Send",
    sending: "Sending…",
    hint: "Enter sends, Shift+Enter makes a new line.",
    commands: COMMANDS,
    needsModel: (name: string) => `${name} (needs a model)`,
    answerFirst: "Paige waits for your answer.",
    toQuestion: "Go to the question",
    wait: "Paige is working. You can stop it above.",
    continueFirst: "This was interrupted. Continue it above, or begin a new request.",
  },

  chat: {
    region: "Conversation",
    loading: "Reading the session…",
    failed: "The session could not be read",
    you: "You",
    paige: "Paige",
    draft: "Draft",
    showDraft: "The first draft",
    toEnd: "Go to the newest",
    newBelow: "New below",
    loadingEarlier: "Reading earlier messages…",
    working: "Paige is working…",
    writing: "Paige is writing…",
    stop: "Stop",
    stopping: "Stopping…",
    stopFailed: "It could not be stopped",
    steps: (count: number) => (count === 1 ? "1 step" : `${count} steps`),
    stepNames: STEPS,
    stepNow: (name: string) => `${name}…`,
    stepFailed: "Did not work",
    given: "Asked for",
    result: "Result",
    stillRunning: "It has not answered yet.",

    saved: "Saved in your workspace",
    savedOpen: "Open it",
    source: SOURCES,
    by: (name: string) => `Written by ${name}`,
    turns: (count: number) => (count === 1 ? "1 turn" : `${count} turns`),
    cost: (usd: number) => `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`,

    interrupted: "This was interrupted",
    interruptedHint: "Nothing is lost. Paige goes on where it stopped.",
    continue: "Continue",
    continuing: "Continuing…",
    failedRun: FAILED,
    failedAnyhow: "This ended early",
    failedHint: "Say it differently below, or begin a new request.",
    again: "Change the request",

    /** What a screen reader is told: what is finished, and whole sentences while they are written. */
    announce: {
      writes: (title: string) => `Paige writes: ${title}`,
      asks: (title: string) => `Paige asks: ${title}`,
      saved: "The lesson is saved.",
      done: "Paige has answered.",
      failed: (reason: string) => `It ended early. ${reason}`,
      interrupted: "It was interrupted.",
    },
  },

  gates: {
    answered: "You answered",
    auto: "Answered automatically",
    goOn: "Go on",
    sending: "Sending…",
    cancel: "Cancel",
    empty: "No answer",
    outdated: "This question has a form that this page does not know. Reload the page to get its newest version.",
    late: "Somebody answered this meanwhile",
    what: "What should change?",
    questionsHint: "In your own words. An empty answer is fine.",
    yourText: "Your text",

    sections: {
      legend: (title: string) => `Your decision on ${title}`,
      changed: "Written anew",
      changes: "What changed",
      reads: "As it reads",
      notYet: "Not accepted yet",
      progress: (decided: number, total: number) => `${decided} of ${total} decided`,
      acceptRest: (count: number) => (count === 1 ? "Accept the other one" : `Accept the other ${count}`),
      acceptAll: "Accept everything",
      incomplete: "Decide about every section first.",
      needsWords: (title: string) => `Say what should change in ${title}.`,
      revise: (title: string) => `What should change in ${title}?`,
      own: (title: string) => `Your own text of ${title}`,
      words: (title: string) => `The words to remember: ${title}`,
    },

    alternatives: {
      current: "As it is now",
      choose: "Choose this",
      mark: "Mark what differs",
    },

    memory: {
      notKept: "Not kept",
    },
  },
});

/** The texts of the Plan page's right side: lessons, curriculum lines, files. */
export const planDocument = words("planDocument", {
  document: {
    close: "Close the document",
    loading: "Reading the lesson…",
    failed: "The lesson could not be read",
    gone: "This lesson was deleted.",
    edit: "Edit",
    read: "Read",
    refine: "Ask for changes",
    refineRequest: (path: string) => `In ${path}: `,
    print: "Print",
    export: "Export",
    exportMenu: "Export as",
    formats: {
      docx: "Word",
      pdf: "PDF",
      md: "Markdown",
      slides: "Slides (Marp)",
      worksheet: "Worksheet for pupils",
      qti: "Quiz for a VLE (QTI)",
      ics: "Calendar entry",
    } satisfies Record<ExportFormat, string>,
    exporting: "Making the file…",
    exported: (name: string) => `${name} is in your downloads`,
    exportFailed: "The file could not be made",
    time: "How the time is spent",
    minutes: (count: number) => `${count} min`,
    total: (count: number) => `${count} minutes`,
    faults: "Before you use this",
    faultCount: (count: number) => (count === 1 ? "1 thing to look at" : `${count} things to look at`),
    line: (line: number) => `Line ${line}`,
  },

  evidence: {
    heading: "Curriculum evidence",
    holds: (count: number) => (count === 1 ? "1 pointer holds" : `${count} pointers hold`),
    unverified: (count: number) => `${count} unverified`,
    broken: (count: number) => (count === 1 ? "1 does not hold" : `${count} do not hold`),
    unverifiedHint: (grade: string) =>
      `Nobody has checked this row against the official text (grade ${grade}). Look it up before you rely on it.`,
    linesHeading: (path: string) => `Curriculum: ${path}`,
    lines: (start: number, end: number) => (start === end ? `Line ${start}` : `Lines ${start} to ${end}`),
    loading: "Reading the curriculum…",
    failed: "The curriculum line could not be read",
    close: "Close the curriculum line",
    openFile: "Open the whole file",
    cited: "Cited",
  },

  editor: {
    loading: "Opening the file…",
    failed: "The file could not be read",
    editorFailed: "The editor could not be loaded",
    editorFailedHint: "Paige may have been updated or stopped. Try again, or reload the page.",
    gone: "This file was deleted.",
    goneDraft: "Your changes are still here. Saving makes the file again.",
    text: (path: string) => `Text of ${path}`,
    save: "Save",
    saving: "Saving…",
    saved: "Saved",
    undo: "Discard changes",
    delete: "Delete",
    unsaved: "Not saved",
    deleted: (path: string) => `${path} is deleted`,
    problems: (count: number) => (count === 1 ? "1 problem in this file" : `${count} problems in this file`),
    problemsOfSaved: "Problems are those of the saved text.",
    whole: "Whole file",
    stale: "Somebody else changed this file meanwhile.",
    conflict: "Both sides changed this file",
    conflictHint: "Nothing is lost. Compare the two texts, then choose, or change yours until it holds both.",
    theirs: "Saved meanwhile",
    differences: "What differs: yours in green, theirs struck through",
    keepMine: "Save mine over it",
    takeTheirs: "Take theirs",
  },
});

/** The texts of what one does with a conversation: saying something differently, going between branches, searching. */
export const planHabits = words("planHabits", {
  branches: {
    edit: "Say it differently",
    askAgain: "Ask the same again",
    askAgainFailed: "It could not be asked again",
    editLabel: "The request in other words",
    editHint: "Nothing is replaced: you can go back to what was said before.",
    editCancel: "Cancel",
    editSend: "Send",
    /** What was asked at one point, one of which is shown. */
    group: "What was asked here",
    count: (at: number, count: number) => `${at} of ${count}`,
    previous: "What was asked before",
    next: "What was asked later",
    of: (title: string) => `Branch of ${title}`,
  },

  find: {
    open: "Search this session",
    label: "Search this session",
    hint: "Enter goes to the next place, Shift+Enter to the one before, Escape closes the search.",
    clear: "Empty the search",
    count: (at: number, count: number) => `${at} of ${count}`,
    nothing: "Not found",
    reading: "Searching…",
    next: "Next place",
    previous: "Place before",
    close: "Close the search",
  },

  /** In the list of keyboard shortcuts. */
  keys: {
    heading: "In a conversation",
    find: "Search this session",
    previous: "Go to the request before",
    next: "Go to the next request",
    branches: "On “1 of 2”: go between what was asked there",
  },
});

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
