/** What Home asks somebody who has just come: with a key, without one, or looking around first. */

import { FlaskConical, KeyRound, Leaf, type LucideIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";

import { useRestart, useSampleChange } from "../pages/settings/hooks";
import { SETTINGS_PATHS } from "../routes";
import { Button, buttonClass } from "../ui/button";
import { Card } from "../ui/data/facts";
import { Section } from "../ui/section";
import { notify, notifyError } from "../ui/toasts";
import type { SettingsSeen } from "../wire/generated";
import { focusHeading } from "./page";
import { tourStrings } from "./strings-tour";
import { startTour, useTour } from "./tour";

const text = tourStrings.first;

export function FirstRun({ seen }: { seen: SettingsSeen }): ReactNode {
  const hide = (): void => {
    useTour.getState().begin();
    // What had the focus is gone.
    focusHeading();
  };
  return (
    <Section heading={text.heading} lead={text.lead} className="mt-8">
      <ul className="grid gap-4 lg:grid-cols-3">
        <Way icon={KeyRound} words={text.key}>
          <Link href={SETTINGS_PATHS.model} className={buttonClass("primary")}>
            {text.key.action}
          </Link>
        </Way>
        <Way icon={Leaf} words={text.none}>
          <Button look="quiet" onClick={startTour}>
            {text.none.action}
          </Button>
        </Way>
        <Way icon={FlaskConical} words={text.look}>
          <LookAround canRestart={seen.canRestart} mayChange={seen.mayChange} />
        </Way>
      </ul>
      <button type="button" className="mt-2 min-h-11 text-ink-soft underline hover:text-accent" onClick={hide}>
        {text.hide}
      </button>
    </Section>
  );
}

function Way({ icon: Icon, words, children }: { icon: LucideIcon; words: { title: string; words: string }; children: ReactNode }): ReactNode {
  return (
    <Card as="li" className="flex flex-col gap-2">
      <h3 className="flex items-center gap-2.5 text-lg">
        <Icon aria-hidden className="size-5 shrink-0 text-accent" />
        {words.title}
      </h3>
      <p className="flex-1 text-ink-soft">{words.words}</p>
      <div className="mt-2">{children}</div>
    </Card>
  );
}

/** Puts the sample there, starts Paige again with its project, and begins the tour. */
function LookAround({ canRestart, mayChange }: { canRestart: boolean; mayChange: boolean }): ReactNode {
  const add = useSampleChange("add");
  const restart = useRestart();
  const [isBusy, setBusy] = useState(false);
  const look = async (): Promise<void> => {
    setBusy(true);
    try {
      await add.mutateAsync();
      if (canRestart) await restart.mutateAsync("sample");
      else notify(text.look.byHand);
      startTour();
    } catch (error) {
      notifyError(text.look.failed, error);
      setBusy(false);
    }
  };
  return (
    <Button look="quiet" disabled={isBusy || !mayChange} onClick={() => void look()}>
      {isBusy ? text.look.working : text.look.action}
    </Button>
  );
}
