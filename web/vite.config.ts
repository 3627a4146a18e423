import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const PAIGE = "http://127.0.0.1:3000";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    // The Python package ships the built app; the folder is not in git.
    outDir: "../src/paige/shipped/web",
    emptyOutDir: true,
    // The first browsers with light-dark(), which the design tokens are written in.
    target: ["chrome123", "firefox120", "safari17.5"],
  },
  server: {
    proxy: {
      "/api": PAIGE,
      "/health": PAIGE,
      "/mcp": PAIGE,
      "/ws": { target: PAIGE, ws: true },
    },
  },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"],
    setupFiles: ["src/testing/clean-up.ts"],
  },
});
