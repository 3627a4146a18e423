/** The texts for a server that does not answer, and for a new version of the app. */

import { words } from "../locale/words";

export const offlineStrings = words("offline", {
  heading: "No connection to Paige",
  lead: "Your browser kept this page. Everything else is kept by Paige, which does not answer right now. Stay here: the page opens by itself as soon as it does.",
  state: {
    heading: "How things stand",
    server: "Paige",
    silent: (place: string) => `No answer from ${place}`,
    device: "This device",
    online: "Has a network",
    offline: "Has no network",
  },

  update: {
    title: "A new version of Paige is here",
    hint: "What you have open still works. Reload the page when you are ready.",
    reload: "Reload",
    how: "Reload the page",
  },
});
