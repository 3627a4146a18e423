/** What is fetched when a file is opened first. */

export { CodeView } from "./code-view";
export { DiffView } from "./diff-view";
