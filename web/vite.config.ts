import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

import { frame, WORKER } from "./scripts/frame.ts";

const PAIGE = "http://127.0.0.1:3000";

export default defineConfig({
  plugins: [react(), tailwindcss(), frame()],
  build: {
    // The Python package ships the built app; the folder is not in git.
    outDir: "../src/paige/shipped/web",
    emptyOutDir: true,
    // The first browsers with light-dark(), which the design tokens are written in.
    target: ["chrome123", "firefox120", "safari17.5"],
    rolldownOptions: {
      input: { index: "index.html", worker: "src/offline/worker.ts" },
      // A worker is in charge of the folder it lies in, and found again only under the same name.
      output: {
        entryFileNames: ({ name }) => (name === "worker" ? WORKER : "assets/[name]-[hash].js"),
        codeSplitting: {
          groups: [
            // What finds the language is there before everything that is written in it.
            { name: "words", test: /src\/locale\/(?:choose|languages|merged|open|words)\.ts$|preload-helper|rolldown\/runtime/, priority: 2 },
            // One file for what every page needs: twenty small ones wait for each other on a slow line.
            { name: "start", test: /src\/start\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    // A target alone would have Vite change the Host, and Paige refuses pages of another address.
    proxy: {
      "/api": { target: PAIGE },
      "/docs": { target: PAIGE },
      "/health": { target: PAIGE },
      "/mcp": { target: PAIGE },
      "/ws": { target: PAIGE, ws: true },
    },
  },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"],
    setupFiles: ["src/testing/clean-up.ts"],
    // One document for all files: making a new one for each took longer than the tests in it.
    isolate: false,
    // What hangs still fails; what is slow because the machine has much to do does not.
    testTimeout: 60_000,
    pool: "threads",
  },
});
