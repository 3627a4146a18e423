/**
 * A step of the build: what a browser needs to open the app, and what it keeps for later.
 *
 * The app starts with a small file that fetches the rest once it knows the language; the page names
 * that rest at once, so that it is fetched at the same time. The service worker learns which files
 * are the frame of the app, and everything gets a name for this version. Texts are also written
 * compressed, for the server to send.
 */

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import type { HtmlTagDescriptor, Plugin, Rolldown } from "vite";

type Bundle = Rolldown.OutputBundle;

export const WORKER = "sw.js";
const START = "/src/start.tsx";
const LANGUAGE = /\/src\/locale\/(?:\w+\/index|pseudo)\.ts$/;
const FONT = /-latin-wght-normal-[\w-]+\.woff2$/;
/** Files of `public/` that a page asks for. */
const PUBLIC = ["/theme.js", "/favicon.svg", "/manifest.webmanifest", "/icons/icon-192.png"];
const TEXT = /\.(?:css|js)$/;
const SMALLEST = 1_000;

export function frame(): Plugin {
  return {
    name: "paige-frame",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle }) => ({ html: paintedFirst(html), tags: bundle === undefined ? [] : tagsOf(bundle) }),
    },
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        this.emitFile({ type: "asset", fileName: "version.json", source: JSON.stringify({ build: buildOf(bundle) }) });
        const worker = bundle[WORKER];
        if (worker?.type !== "chunk") this.error("the build has no service worker");
        worker.code = `const __BUILD__=${JSON.stringify(buildOf(bundle))},__FRAME__=${JSON.stringify(frameOf(bundle))};${worker.code}`;
      },
    },
    writeBundle(options, bundle) {
      const names = Object.keys(bundle).filter((name) => TEXT.test(name) && name !== WORKER);
      for (const name of names) compress(join(options.dir ?? "", name));
    },
  };
}

/** Everything with a hash in its name is in the name of the version; the worker itself is not. */
export function buildOf(bundle: Bundle): string {
  const names = Object.keys(bundle).filter((name) => name.startsWith("assets/"));
  return createHash("sha256").update(names.toSorted().join("\n")).digest("hex").slice(0, 16);
}

/** Addresses of the files that the app needs to open, whatever page is opened. */
export function frameOf(bundle: Bundle): string[] {
  const chunks = firstChunks(bundle);
  const styles = chunks.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]);
  const languages = chunksOf(bundle).filter((chunk) => LANGUAGE.test(chunk.facadeModuleId ?? ""));
  const fonts = Object.keys(bundle).filter((name) => FONT.test(name));
  const files = [...chunks.map(nameOf), ...styles, ...languages.map(nameOf), ...fonts];
  return [...PUBLIC, ...new Set(files.map((name) => `/${name}`))];
}

const STYLES = /\s*<link rel="stylesheet"[^>]*>/g;

/**
 * The page is drawn before its scripts and styles are there: they come after what it shows.
 *
 * Scripts still wait for the styles, so that the app is never seen without them.
 */
function paintedFirst(html: string): string {
  const styles = (html.match(STYLES) ?? []).map((link) => link.trim()).join("");
  return html
    .replaceAll(STYLES, "")
    .replace("</body>", `  ${styles}\n  </body>`)
    .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"');
}

function tagsOf(bundle: Bundle): HtmlTagDescriptor[] {
  const entries = chunksOf(bundle).filter((chunk) => chunk.isEntry);
  // Vite itself names the page's own chunk and what that imports.
  const named = new Set(entries.flatMap((chunk) => [chunk.fileName, ...chunk.imports]));
  const fetchedAlong = firstChunks(bundle).map(nameOf).filter((name) => !named.has(name));
  return [
    { tag: "meta", attrs: { name: "paige-build", content: buildOf(bundle) }, injectTo: "head" },
    ...fetchedAlong.map(
      (name): HtmlTagDescriptor => ({
        tag: "link",
        attrs: { rel: "modulepreload", fetchpriority: "low", crossorigin: true, href: `/${name}` },
        injectTo: "head",
      }),
    ),
  ];
}

/** The chunk of the page, the one that starts the app, and all that they import. */
function firstChunks(bundle: Bundle): Rolldown.OutputChunk[] {
  const found = new Map<string, Rolldown.OutputChunk>();
  const add = (chunk: Rolldown.OutputChunk): void => {
    if (found.has(chunk.fileName)) return;
    found.set(chunk.fileName, chunk);
    for (const name of chunk.imports) {
      const imported = bundle[name];
      if (imported?.type === "chunk") add(imported);
    }
  };
  chunksOf(bundle)
    .filter((chunk) => (chunk.isEntry && chunk.fileName !== WORKER) || chunk.moduleIds.some((id) => id.endsWith(START)))
    .forEach(add);
  return [...found.values()];
}

function chunksOf(bundle: Bundle): Rolldown.OutputChunk[] {
  return Object.values(bundle).filter((file) => file.type === "chunk");
}

function nameOf(chunk: Rolldown.OutputChunk): string {
  return chunk.fileName;
}

function compress(path: string): void {
  const content = readFileSync(path);
  if (content.length >= SMALLEST) writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}
