/** Starts the app in the browser. */

import "./styles/app.css";

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { App } from "./app";
import { browserPorts } from "./connection/browser";
import { createServices } from "./services";
import { applyTheme } from "./theme/theme";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");

applyTheme(document.documentElement);
const services = createServices({ fetch: window.fetch.bind(window), connection: browserPorts });
createRoot(root).render(
  <StrictMode>
    <App services={services} />
  </StrictMode>,
);
