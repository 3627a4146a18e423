/** What every page of settings has above its own: who may not change them, and what waits for a restart. */

import { Lock } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";

import { Button } from "../../ui/button";
import { Answered } from "../../ui/data/answered";
import { FormError } from "../../ui/forms/field";
import { Marked } from "../../ui/marked";
import { Notice } from "../../ui/section";
import { SkeletonRows } from "../../ui/skeleton";
import { notify } from "../../ui/toasts";
import type { SettingsSeen } from "../../wire/generated";
import { useRestart, useSettings } from "./hooks";
import { settingsStrings } from "./strings";

const text = settingsStrings;

export function SettingsFrame({ children }: { children: (seen: SettingsSeen) => ReactNode }): ReactNode {
  const settings = useSettings();
  return (
    <div className="mt-6 flex max-w-3xl flex-col gap-8">
      <Answered query={settings} words={text} skeleton={<SkeletonRows />}>
        {(seen) => (
          <>
            {!seen.mayChange && (
              <Notice tone="info" title={text.readOnly}>
                <p>{text.readOnlyHint}</p>
              </Notice>
            )}
            {seen.exposed && (
              <Notice tone="warn" title={text.exposed}>
                <Marked text={text.exposedHint(seen.file)} />
              </Notice>
            )}
            <Waiting seen={seen} />
            {children(seen)}
          </>
        )}
      </Answered>
    </div>
  );
}

/** Whether what the files say is not what the server runs with. */
function isWaiting({ entries, passcode }: SettingsSeen): boolean {
  return entries.some((entry) => entry.waiting) || passcode.waiting;
}

function Waiting({ seen }: { seen: SettingsSeen }): ReactNode {
  const restart = useRestart();
  const isShown = isWaiting(seen) && seen.mayChange;
  const button = useFocusWhen(isShown);
  return (
    // The region is there before its words, so that screen readers say them.
    <div role="status" className="empty:hidden">
      {isShown && (
        <Notice tone="warn" title={text.waiting.title}>
          <p>{seen.canRestart ? text.waiting.text : text.waiting.byHand}</p>
          {seen.canRestart && (
            <Button
              ref={button}
              className="mt-3"
              disabled={restart.isPending}
              onClick={() => {
                restart.mutate("keep", {
                  onSuccess: () => {
                    notify(text.waiting.done);
                  },
                });
              }}
            >
              {restart.isPending ? text.waiting.restarting : text.waiting.restart}
            </Button>
          )}
          {restart.error !== null && <FormError id="restart-error" error={restart.error} />}
        </Notice>
      )}
    </div>
  );
}

/** What was saved at the end of a page is told at its top: the focus goes there when it appears, not when the page opens. */
function useFocusWhen(isShown: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const wasShown = useRef(isShown);
  useEffect(() => {
    if (isShown && !wasShown.current) button.current?.focus();
    wasShown.current = isShown;
  }, [isShown]);
  return button;
}

/** Why something cannot be changed here. */
export function Locked({ place }: { place: string }): ReactNode {
  return (
    <p className="mt-2 flex gap-2 text-base text-ink-soft">
      <Lock aria-hidden className="mt-1 size-4 shrink-0" />
      <Marked text={text.locked(place)} />
    </p>
  );
}
