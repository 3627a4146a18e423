/** What every page of settings has above its own: who may not change them, and what waits for a restart. */

import { type ReactNode, type RefObject, useEffect, useRef } from "react";

import { useRestart, useSettings } from "../../api/settings-hooks";
import { settingsStrings } from "../../strings-settings";
import { notify } from "../../toasts/toasts";
import { Answered } from "../../ui/answered";
import { Button } from "../../ui/button";
import { FormError } from "../../ui/form-error";
import { Marked } from "../../ui/marked";
import { Notice } from "../../ui/notice";
import { SkeletonRows } from "../../ui/skeleton";
import type { SettingsSeen } from "../../wire/generated";

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
export function isWaiting({ entries, passcode }: SettingsSeen): boolean {
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
