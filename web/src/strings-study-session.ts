/** Texts of a study session, apart from what the server says about answers. */

import { words } from "./locale/words";
import { outcomeStrings, type SessionKind } from "./strings-study-outcome";
import type { StudyItem, StudyTest } from "./wire/generated";

export type { SessionKind } from "./strings-study-outcome";

export const sessionStrings = words("studySession", {
  loading: "Opening your session…",
  failed: "The session could not be opened",
  elsewhere: "The session has moved on in another place",
  toStudy: "Back to Study",
  problems: (count: number) => (count === 1 ? "One file needs a hand" : `${count} files need a hand`),
  problemPlace: (file: string, line: number | null) => (line === null ? file : `${file}, line ${line}`),

  kinds: { study: "Study", review: "Review", quiz: "Quiz" } satisfies Record<SessionKind, string>,
  types: { new: "New", review: "Recall", assess: "One step further" } satisfies Record<StudyItem["type"], string>,
  opening: "Before anything new",
  progress: (number: number, of: number) => `Part ${number} of ${of}`,
  question: (number: number, of: number) => `Question ${number} of ${of}`,
  minutesLeft: (minutes: number) => {
    if (minutes < 1) return "Less than a minute left";
    return minutes < 1.5 ? "1 minute left" : `${Math.round(minutes)} minutes left`;
  },
  pause: "Pause",
  pauseHint: "Your session is kept; go on whenever you like.",
  welcomeBack: "Welcome back. This is where you were.",
  earlier: "About your last answer",
  advice: "A thought",

  goOn: "Go on",
  practise: "Now practise it",
  toQuestion: "A question about it",
  understood: "Got it",
  lessonLabel: "Lesson",
  checkLabel: "Did it stick?",
  checkHint: "Wrong is no harm here: the explanation follows at once.",
  judging: "Looking at your answer…",
  working: "One moment…",

  answer: "Your answer",
  send: "Answer",
  sendHint: "Enter answers, Shift and Enter make a new line.",
  empty: "Write something first.",
  you: "You",
  paige: "Paige",
  choose: "Choose one",

  card: {
    label: "Card",
    front: "Front",
    back: "Back",
    turn: "Turn the card",
    check: "Check it",
    recall: "Say it to yourself, or type it",
    rate: "How was it?",
  },
  ratings: [
    { rating: 1, name: "Not known", hint: "comes back soon" },
    { rating: 2, name: "Partly", hint: "some of it" },
    { rating: 3, name: "Known", hint: "with some thought" },
    { rating: 4, name: "At once", hint: "no doubt" },
  ],

  entry: { label: "Your entry", run: "Run it", before: "This ran already", hint: "Enter runs it, Shift and Enter make a new line." },

  voice: {
    listen: "Listen",
    again: "You may listen as often as you like.",
    heard: "What did you hear?",
    say: "Say it aloud",
    record: "Record",
    stop: "Stop recording",
    play: "Play it back",
    anew: "Record again",
    handIn: "Hand in the recording",
    noRecorder: "This browser cannot record here. Say it aloud, then compare, or type it.",
    denied: "The microphone was not allowed. Say it aloud, then compare, or type it.",
    said: "I said it: compare",
    type: "Or type it",
    recording: "Recording…",
    recorded: "Recorded.",
  },

  photo: {
    choose: "Choose a photo",
    another: "Choose another",
    drop: "or drop one here. JPEG or PNG.",
    handIn: "Hand in the photo",
    preview: "Your photo",
    uploading: "Uploading…",
    uploaded: (name: string) => `${name} is uploaded.`,
    optional: "This is an offer: leave it out whenever you like.",
    criteria: "What it is looked at for",
    self: "Or look at it yourself: how did it come out?",
    ratings: ["Not right", "Partly", "Right", "Very well"],
    leaveOut: "Leave it out",
  },

  sheet: {
    here: "Fill in here",
    file: "As a file",
    mode: "How to work on it",
    gap: (question: string, number: number, of: number) => (of > 1 ? `${question}, gap ${number}` : question),
    pick: "Choose…",
    trueFalse: ["true", "false"],
    filled: (done: number, of: number) => `${done} of ${of} filled in`,
    handIn: "Hand it in",
    handInFile: "The file is ready",
    takeTime: "Take your time: the session waits.",
    loading: "Reading the file…",
    failed: "The file could not be read",
  },

  file: {
    where: "You can also open it in your own editor and save it there:",
    copy: "Copy the path",
    copied: "The path is in the clipboard",
    reload: "Read it again",
    save: "Save",
    saving: "Saving…",
    saved: "Saved",
    unsaved: "Not saved yet",
    editor: (name: string) => `Text of ${name}`,
    readOnly: "This file is for reading.",
    changed: "This file was changed in another place meanwhile.",
    keepMine: "Keep mine",
    takeTheirs: "Take the other",
    loadingEditor: "Fetching the editor…",
    editorFailed: "The editor could not be fetched",
    editorFailedHint: "Paige may have stopped or been updated. Try again, or use your own editor.",
    files: "Files",
  },

  code: {
    run: "Run the tests",
    running: "Running…",
    stop: "Stop",
    handIn: "Hand it in",
    handInFinal: "Hand it in as it is",
    passed: (passed: number, total: number) => `${passed} of ${total} tests pass`,
    output: "Output",
    tests: "Tests",
    trying: "Running costs nothing: try as often as you like.",
    status: {
      passed: "passes",
      failed: "fails",
      error: "breaks",
      skipped: "left out",
      timeout: "takes too long",
    } satisfies Record<StudyTest["status"], string>,
  },

  text: {
    label: "Your text",
    words: (count: number, least: number) =>
      least > count ? `${count} of at least ${least} words` : `${count} ${count === 1 ? "word" : "words"}`,
    points: "Write about",
    rubric: "How it is judged",
    weight: (share: number) => `${Math.round(share * 100)} %`,
    kept: "What you write is kept in this browser until you hand it in.",
  },

  help: {
    hint: "Hint",
    giveUp: "Show the answer",
    more: "More",
    moreMenu: "What else can be done",
    skip: "Leave this one out",
    stop: "End the session here",
    as: (modality: string) => `Do it as: ${modality}`,
    why: "Why this?",
    offer: (modality: string) => `If you like, do it another way: ${modality}.`,
    offerTake: "Yes, let me",
  },

  ...outcomeStrings,
});
