/** The words around the pages about accounts, and of signing in, which are there before the pages are. */

import { words } from "../../locale/words";

export const accountsRoute = words("accountsRoute", {
  you: "You",
  loading: "Fetching the page…",
  failed: "The page could not be fetched",
  failedHint: "Paige may have stopped or been updated. Try again when it answers.",
  label: "Pages about accounts",
  pages: { you: "You", people: "People", audit: "Audit log" },
  leads: {
    you: "Your password, where you are signed in, and tokens for your programs.",
    people: "Who may come in, what they may do, and what they may spend.",
    audit: "Who did what, the newest first. Nothing here is ever changed.",
  },
  signIn: {
    lead: "Sign in with the account that an admin made for you.",
    name: "Name or e-mail",
    password: "Password",
    provider: (host: string) => `Sign in with ${host}`,
    or: "or",
    problem: "You are not signed in",
    problems: {
      sign_in_expired: "Signing in took too long, or was begun in another browser. Begin again.",
      not_vouched: "What the other side said about you cannot be trusted. Begin again, or ask an admin.",
      refused: "You are known, but you may not come in. Ask an admin for a role.",
      conflict: "Somebody else signs in with your e-mail address. Ask an admin.",
      unavailable: "The other side does not answer. Try again in a moment.",
      failed: "Something went wrong on the way. Begin again, or ask an admin.",
    },
  },
});
