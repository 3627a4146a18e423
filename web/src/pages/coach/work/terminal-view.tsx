/** The terminal itself: xterm.js on the person's one shell. */

import "@xterm/xterm/css/xterm.css";

import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";

import { type Services, useServices } from "../../../services";
import { Button } from "../../../ui/button";
import { ids } from "../state/session";
import { coachStrings } from "../strings";

const text = coachStrings.terminal;

export function TerminalView(): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const services = useServices();
  const isOpen = useStore(services.connectionState, ({ name }) => name === "open");
  const [ended, setEnded] = useState<{ code: number | null } | null>(null);
  const shell = useRef<Terminal | null>(null);
  useEffect(() => {
    if (place.current === null) return;
    const terminal = openTerminal(place.current, () => {
      leaveTerminal(place.current);
    });
    shell.current = terminal;
    const stop = connect(terminal, place.current, services, setEnded);
    terminal.focus();
    // On a small screen it opens below what one sees.
    place.current.scrollIntoView({ block: "nearest" });
    return () => {
      stop();
      shell.current = null;
      terminal.dispose();
    };
  }, [services]);

  // After every break of the connection what it showed last is sent again.
  useEffect(() => {
    if (isOpen && shell.current !== null) ready(services, shell.current);
  }, [isOpen, services]);

  return (
    <div className="relative min-h-0 flex-1">
      {ended !== null && (
        <div role="status" className="flex items-center gap-3 px-3 py-1.5">
          {text.ended(ended.code)}
          <Button
            look="quiet"
            onClick={() => {
              setEnded(null);
              if (shell.current !== null) ready(services, shell.current);
              shell.current?.focus();
            }}
          >
            {text.again}
          </Button>
        </div>
      )}
      <div ref={place} role="group" aria-label={text.label} className="coach-terminal absolute inset-0 overflow-hidden px-2 py-1" hidden={ended !== null} />
    </div>
  );
}

function openTerminal(place: HTMLElement, onLeave: () => void): Terminal {
  const style = getComputedStyle(place);
  const colour = (name: string): string => asColour(style.getPropertyValue(name), place);
  const terminal = new Terminal({
    fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
    fontSize: 14,
    screenReaderMode: true,
    theme: {
      background: colour("--card"),
      foreground: colour("--ink"),
      cursor: colour("--accent"),
      selectionBackground: colour("--line"),
    },
  });
  terminal.attachCustomKeyEventHandler((event) => {
    // A shell wants every key, Tab and Escape too: this one leaves it.
    if (event.type !== "keydown" || event.key !== "Escape" || !event.shiftKey) return true;
    event.preventDefault();
    onLeave();
    return false;
  });
  terminal.open(place);
  return terminal;
}

/** Moves the focus to the button that hides the terminal, the first thing around it. */
function leaveTerminal(place: HTMLElement | null): void {
  place?.closest("section")?.querySelector("button")?.focus();
}

function ready({ connection }: Services, { cols, rows }: Terminal): void {
  connection.send({ type: "terminal:ready", payload: { cols, rows }, id: ids.terminal });
}

function connect(
  terminal: Terminal,
  place: HTMLElement,
  { connection }: Services,
  onEnd: (ended: { code: number | null } | null) => void,
): () => void {
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  fit.fit();
  const observer = new ResizeObserver(() => {
    if (place.clientHeight > 0) fit.fit();
  });
  observer.observe(place);
  const typed = terminal.onData((input) => {
    connection.send({ type: "terminal:input", payload: { input }, id: ids.terminal });
  });
  const sized = terminal.onResize(({ cols, rows }) => {
    connection.send({ type: "terminal:resize", payload: { cols, rows }, id: ids.terminal });
  });
  const stops = [
    connection.subscribe("terminal:ready", () => {
      terminal.reset();
      onEnd(null);
    }),
    connection.subscribe("terminal:output", ({ payload }) => {
      terminal.write(payload.output);
    }),
    connection.subscribe("terminal:exit", ({ payload }) => {
      onEnd({ code: payload.code });
    }),
  ];
  return () => {
    observer.disconnect();
    typed.dispose();
    sized.dispose();
    for (const stop of stops) stop();
  };
}

/** A colour of the page in the form that the terminal reads: it does not know `light-dark()`. */
function asColour(value: string, place: HTMLElement): string {
  const probe = document.createElement("span");
  probe.style.color = value;
  place.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}
