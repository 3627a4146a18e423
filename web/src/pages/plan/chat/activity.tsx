/** What Paige is doing at this moment, and the way to stop it. */

import { LoaderCircle, Square } from "lucide-react";
import { type ReactNode, useRef } from "react";

import { planStrings } from "../../../strings-plan";
import { notifyError } from "../../../toasts/toasts";
import { Button } from "../../../ui/button";
import type { PlanRun } from "../../../wire/generated";
import { useStop } from "../actions";
import { useLive } from "../live";
import { useLanding } from "./focus";
import { stepName } from "./tools";

const text = planStrings.chat;

interface ActivityProps {
  run: PlanRun;
  isWriting: boolean;
}

export function Activity({ run, isWriting }: ActivityProps): ReactNode {
  const tool = useLive(({ tools }) => tools[run.id]);
  const stop = useStop();
  const line = useRef<HTMLDivElement>(null);
  useLanding(line, "meanwhile");
  const now = tool === undefined ? (isWriting ? text.writing : text.working) : text.stepNow(stepName(tool));
  return (
    <div ref={line} tabIndex={-1} data-landing className="flex items-center gap-3 text-ink-soft outline-none">
      <LoaderCircle aria-hidden className="size-5 animate-spin" />
      <p className="mr-auto">{now}</p>
      <Button
        look="quiet"
        disabled={stop.isPending}
        onClick={() => {
          stop.mutate(run.id, {
            onError: (error) => {
              notifyError(text.stopFailed, error);
            },
          });
        }}
      >
        <Square aria-hidden className="size-4" />
        {stop.isPending ? text.stopping : text.stop}
      </Button>
    </div>
  );
}
