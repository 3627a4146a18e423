/** The texts of the Plan page's middle: requests, answers, and what Paige asks. */

import { words } from "./locale/words";

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
const SOURCES: Partial<Record<string, string>> = { local: "Composed on this machine, without a model" };

/** Why a run ended early. */
const FAILED: Partial<Record<string, string>> = {
  error_hook_abort: "Paige did not go on",
  error_max_turns: "Paige needed too many turns",
  error_max_budget: "This would have cost more than allowed",
  error_tool_retry_exhausted: "A tool failed again and again",
  error_no_progress: "Paige did not get any further",
};

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
    local: "Drafts are composed on this machine, without a model.",
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
