/** Texts of the course browser, the importer and the page of a course. */

import { locale, words } from "../../locale/words";
import type { StudyCourse } from "../../wire/generated";

const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString(locale())} ${count === 1 ? one : many}`;
const size = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;

export const DOMAINS = words("studyDomains", {
  language: "Language",
  technical: "Technical",
  conceptual: "Ideas",
  interview: "Interviews",
} satisfies Record<StudyCourse["domain"], string>);

export const coursesStrings = words("studyCourses", {
  lead: "A course is a folder of plain files: concepts, things to ask, words, explanations. Take one, bring one, or write one.",
  loading: "Reading the courses…",
  failed: "The courses could not be read",
  yours: "Going on",
  others: "To begin",
  none: "There is no course yet.",
  noneHint: "Bring a deck of cards along below, or begin a course from a template.",
  domains: DOMAINS,
  contents: (concepts: number, items: number, words: number) =>
    [plural(concepts, "concept"), plural(items, "item"), ...(words > 0 ? [plural(words, "word")] : [])].join(" · "),
  shipped: "Comes with Paige",
  own: "Yours",
  due: (count: number) => `${count.toLocaleString(locale())} due`,
  notDue: "Nothing due",
  exam: (day: string) => `Exam ${day}`,
  open: "A session is open",
  mastered: (done: number, all: number) => `${done} of ${all} mastered`,
  problems: (count: number) => `${plural(count, "problem")} in its files`,

  problem: {
    heading: (count: number) => `${plural(count, "problem")} in files`,
    hint: "Everything else works. Mend these in an editor; the page shows it when you come back.",
    line: (line: number) => `line ${line}`,
    more: (count: number) => `Show ${count.toLocaleString(locale())} more`,
  },

  start: {
    goOn: "Go on with the session",
    study: "Start a session",
    review: (due: number) => `Review ${due.toLocaleString(locale())} due`,
    quiz: "Quiz me",
    starting: "Starting…",
    failed: "The session could not be started",
  },

  nav: {
    label: "Pages of Study",
    today: "Today",
    courses: "Courses",
    course: "Course",
    progress: "Progress",
    settings: "Settings",
  },

  import: {
    heading: "Bring one along",
    lead: "Cards become concepts and questions. What you reviewed in Anki counts as what you know. Doing it again adds only what is new.",
    drop: "Drop a file here",
    choose: "Choose a file",
    chosen: (name: string, bytes: number) => `${name}, ${size(bytes)}`,
    kinds: {
      anki: "Anki deck (.apkg, .colpkg)",
      csv: "Table of cards (.csv, .tsv, .txt)",
      exercism: "Exercism track (.zip)",
    },
    kind: "What it is",
    name: "Name of the course",
    nameHint: "Leave it empty to have it named after the file. Letters, digits and dashes.",
    submit: "Import",
    importing: (name: string, bytes: number) => `Reading ${name}, ${size(bytes)}…`,
    another: "Choose another file",
    unknown: (name: string) => `\`${name}\` is none of the files that can be read`,
    unknownHint: "Use `.apkg`, `.csv`, `.tsv`, or a `.zip` of an Exercism track.",
    tooLarge: (name: string, bytes: number) => `\`${name}\` has ${size(bytes)}, which is too much`,
    tooLargeHint: (most: number) => `A file may have up to ${size(most)}. Use \`paige study import\` in a terminal for more.`,
    done: (title: string) => `${title} is there`,
    added: (added: number, there: number) =>
      there === 0 ? `${plural(added, "item")} added.` : `${plural(added, "item")} added, ${there.toLocaleString(locale())} were there already.`,
    reviewed: (count: number) => `Reviews of ${plural(count, "card")} count as what you know.`,
    differing: (count: number) => `${plural(count, "item reads", "items read")} otherwise in the file; yours stayed.`,
    leftOut: (count: number) => `${count.toLocaleString(locale())} left out`,
    remarks: "Remarks",
    toCourse: "Look at the course",
  },

  make: {
    heading: "Write one",
    lead: "A template has a small example of everything, to be written over.",
    name: "Name of the folder",
    nameHint: "Letters, digits and dashes, such as `first-aid`.",
    title: "Title",
    titleHint: "What people call it; may be left empty.",
    template: "Begin with",
    submit: "Make the course",
    making: "Making…",
    done: (title: string) => `${title} is there. Now write your own things into its files.`,
  },

  course: {
    loading: "Reading the course…",
    failed: "The course could not be read",
    facts: "About this course",
    folder: "Folder",
    languages: (source: string, target: string) => `${source} → ${target}`,
    export: "Take it along",
    exportMenu: "Take it along as",
    exports: { anki: "Anki deck", csv: "Table of cards", xapi: "Results as xAPI statements" },
    exporting: "Preparing…",
    exported: (name: string) => `${name} is in your downloads`,
    exportFailed: "The file could not be made",
  },

  map: {
    heading: "Map",
    lead: "From top to bottom: what stands above a concept has to be known before it.",
    name: "Concepts by what they need",
    legend: "Signs",
    table: "Concepts of the course",
    columns: ["Concept", "Status", "Mastery", "Remembered", "Needs"],
    mastery: (share: number) => `${Math.round(share * 100)}%`,
    due: "due",
    dueIn: (days: number) => (days <= 0 ? "due now" : `due in ${plural(days, "day")}`),
    one: "One concept",
    unit: "Part",
    reached: (reached: string, wanted: string) => (reached === wanted ? `${wanted}, reached` : `${reached}, on the way to ${wanted}`),
    facts: {
      status: "Status",
      mastery: "Mastery",
      recall: "Remembered now",
      due: "Comes back",
      level: "Level",
      practised: "Practised",
      needs: "Needs",
      opens: "Opens up",
      confused: "Often mixed up with",
      contents: "Can be asked",
      from: "Comes from",
      gap: "Gap",
    },
    fromCoach: (title: string | null, day: string) => (title === null ? `a coaching session, ${day}` : `coaching on “${title}”, ${day}`),
    gapOpen: "open: one exercise solved without help closes it",
    gapClosed: "closed: the coach helps with it less now",
    attempts: (count: number) => plural(count, "exercise"),
    items: (count: number) => plural(count, "item"),
    waits: "It can be begun when what it needs is known.",
    quiz: "Quiz me on this",
    empty: "This course has no concept yet.",
    emptyHint: "Write some into `concepts.json` in its folder.",
  },

  levels: {
    remember: "remember",
    understand: "understand",
    apply: "apply",
    analyze: "analyse",
    evaluate: "evaluate",
    create: "create",
  },
});
