/** Every text of the app that does not come from the server; those of the Memory page are beside it. */

import { words } from "./locale/words";
import { memoryStrings } from "./pages/memory/strings";
import type { Theme } from "./shell/theme-button";
import type { DoorStatus, SetupCheck } from "./wire/generated";
import type { ConnectionState } from "./wire/machine";

export const strings = words("app", {
  brand: "Paige",
  pageTitle: (page: string) => `${page} · Paige`,
  skipToContent: "Skip to content",
  navigation: "Main",
  home: "Home",
  traces: "Traces",
  settings: "Settings",
  more: "More",
  search: "Search",
  help: "Help",
  close: "Close",
  demo: "You are looking at the demo: everything here is invented, and nothing is yours.",

  doors: {
    plan: "Plan",
    study: "Study",
    coach: "Coach",
    guard: "Guard",
  } satisfies Record<DoorStatus["id"], string>,

  memory: memoryStrings,

  welcome: {
    heading: "Welcome to Paige",
    lead:
      "Paige is a teaching companion you run yourself: on your machine, with your data and the model you choose. " +
      "It has four doors, and what it learns about a person behind one of them helps behind the others.",
    doors: "Four doors",
  },

  setup: {
    heading: "What is set up",
    facts: "Configuration",
    provider: "Provider",
    providerReady: "Ready",
    providerNotReady: "Not ready",
    database: "Database",
    databaseEngines: { sqlite: "SQLite", postgresql: "PostgreSQL" },
    databaseSchema: (schema: string) => `Schema ${schema}`,
    project: "Project",
    projectNone: "None chosen",
    dataDir: "Data folder",
    version: "Version",
    passcode: "Passcode",
    passcodeOn: "Asked for when somebody opens Paige",
    passcodeOff: "Not asked for",
    checks: "Checks",
    checksEmpty: "The server ran no checks.",
    allChecks: "All checks",
    fix: "What to do:",
    loading: "Reading the setup…",
    failed: "The setup could not be read",
  },

  checkStatus: {
    ok: "OK",
    warn: "Worth a look",
    fail: "Broken",
  } satisfies Record<SetupCheck["status"], string>,

  checkSummary: ({ total, warn, fail }: { total: number; warn: number; fail: number }) => {
    if (fail > 0) return `${fail} of ${total} broken`;
    if (warn > 0) return `${warn} of ${total} worth a look`;
    return `All ${total} OK`;
  },

  connection: {
    state: (state: ConnectionState) => {
      switch (state.name) {
        case "open":
          return "Connected";
        case "connecting":
          return "Connecting…";
        case "resyncing":
          return "Catching up…";
        case "waiting":
          return `Retrying in ${Math.ceil(state.retryInMs / 1000)} s`;
        case "closed":
          return state.reason === "sign-in" ? "Signed out" : "Not connected";
      }
    },
    lost: "Connection lost. Paige keeps trying.",
    found: "Connected",
  },

  theme: {
    names: { system: "System", light: "Light", dark: "Dark" } satisfies Record<Theme, string>,
    button: (theme: string, next: string) => `Theme: ${theme}. Change to ${next}`,
  },

  palette: {
    open: "Commands",
    title: "Commands",
    description: "Type to find a page, a command or anything you have. Arrow keys choose, Enter opens it, Escape closes.",
    placeholder: "Where to, what to do, what to find?",
    empty: "No page or command matches.",
    pages: "Go to",
    themes: "Theme",
    commands: "Commands",
    theme: (name: string) => `${name} theme`,
    copyReport: "Copy setup report",
    reload: "Reload setup",
    shortcuts: "Keyboard shortcuts",
    searchMemory: "Search the memory",
    signOut: "Sign out",
  },

  shortcuts: {
    title: "Keyboard shortcuts",
    description: "Paige works without a mouse. Tab moves through everything on a page.",
    everywhere: "Everywhere",
    openPalette: "Find a page, a command or anything you have",
    search: "Search this page, or everything",
    showHelp: "Show these shortcuts",
    closeDialog: "Close a dialog",
    toNotices: "Go to notices",
    going: "Go to a page",
    toWaiting: "What waits for you",
    /** Shown while the second key is waited for, before the names of the pages. */
    goTo: "Go to",
    waiting: "Waiting",
    singleKey: "Use keys without Ctrl: ?, /, G and those of a page",
    singleKeyHint: "Turn this off if speech input or your keyboard types them by accident.",
    study: {
      heading: "While you study",
      goOn: "Go on, turn a card, answer",
      rate: "Say how well you knew it",
      choose: "Choose an answer",
      hint: "The next hint",
    },
    /** Written as spoken words between keys: Ctrl and K. */
    and: "and",
    /** Between keys that are pressed one after the other: G then P. */
    then: "then",
  },

  signIn: {
    heading: "Sign in",
    lead: "This Paige asks for a passcode. The person who runs it knows it.",
    passcode: "Passcode",
    submit: "Sign in",
    submitting: "Signing in…",
    signOut: "Sign out",
  },

  notFound: {
    heading: "There is no such page",
    lead: (path: string) => `Nothing lives at \`${path}\`. The link may be old, or have a typing mistake.`,
    home: "Go to Home",
  },

  notices: {
    /** Radix replaces {hotkey}. */
    region: "Notices ({hotkey})",
    label: "Notice",
    dismiss: "Dismiss",
    reportCopied: "The setup report is in the clipboard",
    copyFailed: "The report could not be copied",
    copyFailedHint: "The browser allows it only on https or localhost, and only if you agree.",
    connectionError: "Paige could not handle a message",
    refreshFailed: "What you see may be out of date",
    dialogFailed: "The dialog could not be opened",
    dialogFailedHint: "Paige may have stopped or been updated. Reload the page when it answers.",
    signOutFailed: "Signing out did not work",
  },

  errors: {
    retry: "Try again",
    unreachable: "Paige does not answer",
    unreachableHint: "Start it with `paige up`, or look at the terminal it runs in, then try again.",
    unreadable: (status: number) => `Paige gave an answer that this page cannot read (status ${status})`,
    unreadableHint: "Something between the browser and Paige may have answered instead. Reload the page.",
    crashed: "This page broke",
    crashedHint: "Reload it. If it breaks again, please report it with the setup report.",
  },
});
