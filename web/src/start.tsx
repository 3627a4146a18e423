/** Starts the app, once the language it speaks is known. */

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { App } from "./app";
import { offlineStrings } from "./offline/strings";
import { versionPorts, watchVersion } from "./offline/version";
import { createServices } from "./services";
import { applyTheme } from "./shell/theme-button";
import { offer } from "./ui/toasts";
import { browserPorts } from "./wire/browser";

/** Shows the app in `root` for as long as the page is open. */
export function start(root: HTMLElement): void {
  applyTheme(document.documentElement);
  const services = createServices({ fetch: window.fetch.bind(window), connection: browserPorts });
  watchVersion(services.connectionState, versionPorts(window, offerUpdate));
  createRoot(root).render(
    <StrictMode>
      <App services={services} />
    </StrictMode>,
  );
}

/** The person decides when the new version comes: it stays until it is taken or put aside. */
function offerUpdate(reload: () => void): void {
  const text = offlineStrings.update;
  offer(text.title, { name: text.reload, how: text.how, run: reload }, text.hint);
}
