/** The list of shortcuts: those of the page, those that work everywhere, and the switch for those of one key. */

import { Fragment, type ReactNode } from "react";

import { strings } from "../strings";
import { Dialog } from "../ui/dialog";
import { Toggle } from "../ui/forms/choice";
import { returnFocus, useOverlay } from "./overlay";
import { GO, GOALS, MODIFIER, type PageKey, TO_NOTICES, useRegistry, useSingleKey } from "./shortcuts";

const text = strings.shortcuts;

const EVERYWHERE: readonly PageKey[] = [
  { keys: [MODIFIER, "K"], does: text.openPalette },
  { keys: ["/"], does: text.search },
  { keys: ["?"], does: text.showHelp },
  { keys: ["F8"], does: text.toNotices },
  { keys: ["Esc"], does: text.closeDialog },
];

const GOING: readonly PageKey[] = [
  ...GOALS.map(({ letter, route }) => ({ keys: [GO, letter], does: route.title })),
  { keys: [GO, TO_NOTICES], does: text.toWaiting },
];

export function ShortcutsDialog(): ReactNode {
  const close = useOverlay((overlay) => overlay.close);
  const ofPages = Object.entries(useRegistry());
  return (
    <Dialog title={text.title} description={text.description} onClose={close} onClosed={returnFocus}>
      {ofPages.map(([id, { heading, keys }]) => (
        <ShortcutList key={id} heading={heading} shortcuts={keys} />
      ))}
      <ShortcutList heading={text.everywhere} shortcuts={EVERYWHERE} />
      <ShortcutList heading={text.going} shortcuts={GOING} joint={text.then} isWide />
      <SingleKeySwitch />
    </Dialog>
  );
}

interface ShortcutListProps {
  heading: string;
  shortcuts: readonly PageKey[];
  /** The word between two keys: held together, or one after the other. */
  joint?: string;
  /** In two columns where there is room. */
  isWide?: boolean;
}

function ShortcutList({ heading, shortcuts, joint = text.and, isWide = false }: ShortcutListProps): ReactNode {
  return (
    <section className="mx-6 mt-5">
      <h3 className="text-lg">{heading}</h3>
      <dl className={`mt-2 border-t border-rule ${isWide ? "sm:grid sm:grid-cols-2 sm:gap-x-8" : ""}`}>
        {shortcuts.map(({ keys, does }) => (
          <div key={does} className="flex items-center justify-between gap-4 border-b border-rule py-2">
            <dt>{does}</dt>
            <dd className="flex shrink-0 items-center gap-1.5 whitespace-nowrap">
              <Keys keys={keys} joint={joint} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Keys({ keys, joint }: { keys: readonly string[]; joint: string }): ReactNode {
  return keys.map((key, place) => (
    <Fragment key={key}>
      {place > 0 && <span className={joint === text.and ? "sr-only" : "text-sm text-ink-soft"}>{joint}</span>}
      <kbd className="min-w-8 rounded border border-edge bg-paper px-2 text-center font-sans text-base">{key}</kbd>
    </Fragment>
  ));
}

function SingleKeySwitch(): ReactNode {
  const { enabled, setEnabled } = useSingleKey();
  return (
    <div className="px-6 py-5">
      <Toggle label={text.singleKey} hint={text.singleKeyHint} isOn={enabled} onToggle={setEnabled} />
    </div>
  );
}
