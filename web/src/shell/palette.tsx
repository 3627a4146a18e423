/** The command palette: every page and command, found by typing, and below them everything the person has. */

import { useQueryClient } from "@tanstack/react-query";
import { Command, defaultFilter } from "cmdk";
import {
  BookOpenText,
  ClipboardCopy,
  Footprints,
  Keyboard,
  LogOut,
  type LucideIcon,
  RotateCw,
  Search,
} from "lucide-react";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { useLocation } from "wouter";

import { goToMemorySearch } from "../pages/memory/memory-route";
import { INNER_PLACES, KIND_ICONS, Parts, type Place, useFinding } from "../pages/search/found";
import { findingStrings } from "../pages/search/strings";
import { type Route, ROUTES } from "../routes";
import { strings } from "../strings";
import { Dialog } from "../ui/dialog";
import { useCopyReport } from "../ui/setup";
import type { SearchGroup, SearchHit, SearchProblem } from "../wire/generated";
import { useSession, useSignOut } from "../wire/hooks";
import { helpFor } from "./help";
import { returnFocus, useOverlay } from "./overlay";
import { searchEverything } from "./page";
import { tourStrings } from "./strings-tour";
import { THEME_ICONS, THEMES, useTheme } from "./theme-button";
import { startTour } from "./tour";

export function Palette(): ReactNode {
  const close = useOverlay((overlay) => overlay.close);
  const [typed, setTyped] = useState("");
  const groups = narrowed(usePaletteGroups(typed.trim() !== ""), typed);
  const hits = usePaletteHits(typed);
  const { value, onValueChange, onKeyDown, onPointerMove, startOver } = useChoosing(
    groups[0]?.actions[0]?.label ?? firstFound(hits),
  );
  return (
    <Dialog
      title={strings.palette.title}
      description={strings.palette.description}
      onClose={close}
      onClosed={returnFocus}
      titleHidden
    >
      <Command
        label={strings.palette.title}
        loop
        shouldFilter={false}
        value={value}
        onValueChange={onValueChange}
        onKeyDown={onKeyDown}
        className="flex min-h-0 flex-col"
      >
        <Command.Input
          data-first
          value={typed}
          onValueChange={(words) => {
            setTyped(words);
            startOver();
          }}
          placeholder={strings.palette.placeholder}
          className="w-full border-b border-line bg-transparent py-4.5 pr-16 pl-6 text-lg outline-none focus:border-accent placeholder:text-ink-soft"
        />
        <Command.List label={strings.palette.title} onPointerMove={onPointerMove} className="overflow-auto p-2">
          {groups.length === 0 && hits.asked === "" && (
            <p className="px-4 py-6 text-ink-soft">{strings.palette.empty}</p>
          )}
          {groups.map(({ heading, actions }) => (
            <Command.Group key={heading} heading={heading} className={GROUP}>
              {actions.map((action) => (
                <Item key={action.label} action={action} />
              ))}
            </Command.Group>
          ))}
          <Found hits={hits} />
        </Command.List>
        <FoundStatus hits={hits} />
      </Command>
    </Dialog>
  );
}

function Item({ action }: { action: PaletteAction }): ReactNode {
  const Icon = action.icon;
  return (
    <Command.Item
      value={action.label}
      onSelect={() => {
        action.run();
        closePalette();
      }}
      className={ITEM}
    >
      <Icon aria-hidden className="size-5 shrink-0" />
      {action.label}
    </Command.Item>
  );
}

/** A command may have put another dialog in the palette's place. */
function closePalette(): void {
  const { shown, close } = useOverlay.getState();
  if (shown === "palette") close();
}

const text = findingStrings.palette;
/** Of each kind, and of all together: a palette is short, the page of the search is not. */
const OF_A_KIND = 3;
const OF_ALL = 8;
const EVERYTHING = "search-everything";

interface PaletteHits {
  asked: string;
  rows: { kind: SearchGroup["kind"]; hit: SearchHit }[];
  problems: SearchProblem[];
  isCurrent: boolean;
}

/** What the words find behind all doors, below the pages and commands. */
function usePaletteHits(typed: string): PaletteHits {
  const { asked, isCurrent, query } = useFinding(typed, OF_A_KIND);
  const found = asked === "" ? undefined : query.data;
  const rows = (found?.groups ?? []).flatMap(({ kind, hits }) => hits.map((hit) => ({ kind, hit }))).slice(0, OF_ALL);
  return { asked, rows, problems: found?.problems ?? [], isCurrent };
}

/** The first row of what was found. */
function firstFound({ asked, rows: [first] }: PaletteHits): string {
  if (first !== undefined) return valueOf(first.kind, first.hit);
  return asked === "" ? "" : EVERYTHING;
}

function valueOf(kind: SearchGroup["kind"], { id }: SearchHit): string {
  return `${kind} ${id}`.trim();
}

function Found({ hits: { asked, rows } }: { hits: PaletteHits }): ReactNode {
  const close = useOverlay((overlay) => overlay.close);
  const [, navigate] = useLocation();
  if (asked === "") return null;
  return (
    <Command.Group heading={text.heading} className={GROUP}>
      {rows.map(({ kind, hit }) => (
        <HitItem
          key={valueOf(kind, hit)}
          kind={kind}
          hit={hit}
          onOpen={() => {
            navigate(hit.link);
            close();
          }}
        />
      ))}
      <Command.Item
        value={EVERYTHING}
        onSelect={() => {
          close();
          searchEverything(asked);
        }}
        className={ITEM}
      >
        <Search aria-hidden className="size-5 shrink-0" />
        <span className="truncate">{text.everything(asked)}</span>
      </Command.Item>
    </Command.Group>
  );
}

/** How much was found, for screen readers, and what could not be searched. */
function FoundStatus({ hits: { asked, rows, problems, isCurrent } }: { hits: PaletteHits }): ReactNode {
  return (
    <>
      {problems.length > 0 && (
        <p className="border-t border-line px-6 py-3 text-sm text-warn">
          {text.problems(problems.map(({ source }) => findingStrings.sources[source]).join(", "))}
        </p>
      )}
      <p role="status" className="sr-only">
        {asked !== "" && isCurrent ? text.status(rows.length) : ""}
      </p>
    </>
  );
}

interface HitItemProps {
  kind: SearchGroup["kind"];
  hit: SearchHit;
  onOpen: () => void;
}

function HitItem({ kind, hit, onOpen }: HitItemProps): ReactNode {
  const Icon = KIND_ICONS[kind];
  return (
    <Command.Item value={valueOf(kind, hit)} onSelect={onOpen} className={`${ITEM} py-1.5`}>
      <Icon aria-hidden className="size-5 shrink-0" />
      <span className="min-w-0 flex-1 leading-snug">
        <span className="block truncate">
          <Parts parts={hit.title} />
        </span>
        {hit.snippet.length > 0 && (
          <span className="block truncate text-sm text-ink-soft group-aria-selected:text-on-accent">
            <Parts parts={hit.snippet} />
          </span>
        )}
      </span>
      <span className="shrink-0 text-sm text-ink-soft group-aria-selected:text-on-accent max-sm:sr-only">
        {findingStrings.kinds[kind]}
      </span>
    </Command.Item>
  );
}

const MOVING = ["ArrowDown", "ArrowUp", "Home", "End", "Tab"];

interface Choosing {
  value: string;
  onValueChange: (value: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onPointerMove: () => void;
  /** Something was typed: the first row is chosen again. */
  startOver: () => void;
}

/**
 * Which row of the palette is chosen. The first one, until somebody moves: what is found comes later than what is
 * typed, and Enter should open the best of what is shown then.
 */
function useChoosing(first: string): Choosing {
  const [chosen, setChosen] = useState<string | null>(null);
  const hasMoved = useRef(false);
  return {
    value: chosen ?? first,
    onValueChange: (value) => {
      if (hasMoved.current) setChosen(value);
    },
    onKeyDown: ({ key }) => {
      if (MOVING.includes(key)) hasMoved.current = true;
    },
    onPointerMove: () => {
      hasMoved.current = true;
    },
    startOver: () => {
      hasMoved.current = false;
      setChosen(null);
    },
  };
}

/** The pages and commands that fit what was typed, the best first. */
function narrowed(groups: readonly PaletteGroup[], typed: string): PaletteGroup[] {
  const asked = typed.trim();
  if (asked === "") return [...groups];
  const scored = groups.map(({ heading, actions }) => {
    const rows = actions
      .map((action) => ({ action, score: defaultFilter(action.label, asked, [...(action.keywords ?? [])]) }))
      .filter(({ score }) => score > LEAST)
      .sort((one, other) => other.score - one.score);
    return { heading, actions: rows.map(({ action }) => action), best: rows[0]?.score ?? 0 };
  });
  return scored.filter(({ best }) => best > 0).sort((one, other) => other.best - one.best);
}

/** Letters that only happen to stand in the same order are no match. */
const LEAST = 0.02;

// How rows of the palette look.

const GROUP =
  "pb-2 [&_[cmdk-group-heading]]:px-4 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-sm " +
  "[&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-ink-soft";

const ITEM =
  "group flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-4 aria-selected:bg-accent aria-selected:text-on-accent";

// What the command palette offers.

interface PaletteAction {
  label: string;
  icon: LucideIcon;
  /** Other words it is found by. */
  keywords?: readonly string[];
  run(): void;
}

interface PaletteGroup {
  heading: string;
  actions: PaletteAction[];
}

/** `isSearched` says that something was typed: pages below the main ones are too many to be listed at once. */
function usePaletteGroups(isSearched: boolean): PaletteGroup[] {
  const [, navigate] = useLocation();
  const setTheme = useTheme((store) => store.setTheme);
  const commands = useCommands();
  return [
    {
      heading: strings.palette.pages,
      actions: [...ROUTES.map(mainPlace), ...(isSearched ? INNER_PLACES : [])].map(({ title, about, icon, path }) => ({
        label: title,
        icon,
        keywords: about.split(" "),
        run: () => {
          navigate(path);
        },
      })),
    },
    {
      heading: strings.palette.themes,
      actions: THEMES.map((theme) => ({
        label: strings.palette.theme(strings.theme.names[theme]),
        icon: THEME_ICONS[theme],
        run: () => {
          setTheme(theme);
        },
      })),
    },
    { heading: strings.palette.commands, actions: commands },
  ];
}

function mainPlace({ title, icon, path }: Route): Place {
  return { title, about: "", icon, path };
}

function useCommands(): PaletteAction[] {
  const queries = useQueryClient();
  const copyReport = useCopyReport();
  const session = useSession();
  const signOut = useSignOut();
  const show = useOverlay((overlay) => overlay.show);
  const [path] = useLocation();
  const text = strings.palette;
  const commands: PaletteAction[] = [
    {
      label: findingStrings.label,
      icon: Search,
      run: () => {
        searchEverything();
      },
    },
    { label: text.searchMemory, icon: Search, run: goToMemorySearch },
    {
      label: strings.help,
      icon: BookOpenText,
      keywords: ["documentation", "docs", "manual"],
      run: () => {
        window.open(helpFor(path), "paige-help");
      },
    },
    { label: text.copyReport, icon: ClipboardCopy, run: () => void copyReport() },
    { label: tourStrings.start, icon: Footprints, run: startTour },
    { label: text.reload, icon: RotateCw, run: () => void queries.invalidateQueries() },
    {
      label: text.shortcuts,
      icon: Keyboard,
      run: () => {
        show("shortcuts");
      },
    },
  ];
  if (session.data?.required !== true) return commands;
  const leave: PaletteAction = {
    label: text.signOut,
    icon: LogOut,
    run: () => {
      signOut.mutate();
    },
  };
  return [...commands, leave];
}
