/** The list of shortcuts, and the switch for those of one key. */

import { Switch } from "radix-ui";
import { Fragment, type ReactNode } from "react";

import { strings } from "../strings";
import { Dialog } from "../ui/dialog";
import { returnFocus, useOverlay } from "./overlay";
import { MODIFIER } from "./shortcuts";
import { useSingleKey } from "./single-key";

const SHORTCUTS = [
  { keys: [MODIFIER, "K"], does: strings.shortcuts.openPalette },
  { keys: ["/"], does: strings.shortcuts.searchMemory },
  { keys: ["?"], does: strings.shortcuts.showHelp },
  { keys: ["F8"], does: strings.shortcuts.toNotices },
  { keys: ["Esc"], does: strings.shortcuts.closeDialog },
];

const WHILE_STUDYING = [
  { keys: ["Enter"], does: strings.shortcuts.study.goOn },
  { keys: ["1", "2", "3", "4"], does: strings.shortcuts.study.rate },
  { keys: ["A", "B", "C"], does: strings.shortcuts.study.choose },
  { keys: ["H"], does: strings.shortcuts.study.hint },
];

export function ShortcutsDialog(): ReactNode {
  const close = useOverlay((overlay) => overlay.close);
  return (
    <Dialog title={strings.shortcuts.title} description={strings.shortcuts.description} onClose={close} onClosed={returnFocus}>
      <ShortcutList shortcuts={SHORTCUTS} />
      <h3 className="mx-6 mt-5 text-lg">{strings.shortcuts.study.heading}</h3>
      <ShortcutList shortcuts={WHILE_STUDYING} />
      <SingleKeySwitch />
    </Dialog>
  );
}

function ShortcutList({ shortcuts }: { shortcuts: { keys: string[]; does: string }[] }): ReactNode {
  return (
    <dl className="mx-6 mt-4 divide-y divide-rule border-y border-rule">
      {shortcuts.map(({ keys, does }) => (
        <div key={does} className="flex items-center justify-between gap-4 py-2.5">
          <dt>{does}</dt>
          <dd className="flex shrink-0 gap-1 whitespace-nowrap">
            <Keys keys={keys} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Keys({ keys }: { keys: string[] }): ReactNode {
  return keys.map((key, place) => (
    <Fragment key={key}>
      {place > 0 && <span className="sr-only">{strings.shortcuts.and}</span>}
      <kbd className="min-w-8 rounded border border-edge bg-paper px-2 text-center font-sans text-base">{key}</kbd>
    </Fragment>
  ));
}

function SingleKeySwitch(): ReactNode {
  const { enabled, setEnabled } = useSingleKey();
  return (
    <div className="flex items-center justify-between gap-4 px-6 py-4">
      <div>
        <label htmlFor="single-key" className="font-semibold">
          {strings.shortcuts.singleKey}
        </label>
        <p id="single-key-hint" className="text-base text-ink-soft">
          {strings.shortcuts.singleKeyHint}
        </p>
      </div>
      <Switch.Root
        id="single-key"
        aria-describedby="single-key-hint"
        checked={enabled}
        onCheckedChange={setEnabled}
        className="h-7 w-12 shrink-0 rounded-full border border-edge bg-paper transition-colors data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Switch.Thumb className="block size-5 translate-x-1 rounded-full bg-edge transition-transform data-[state=checked]:translate-x-6 data-[state=checked]:bg-on-accent" />
      </Switch.Root>
    </div>
  );
}
