/** What the app says to its service worker: the new version may take over now. Only a type, so that they share no file. */
export type TakeOver = "take-over";
