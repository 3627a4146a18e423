/** Shows the notices. Radix announces errors at once and everything else when the reader pauses. */

import { CircleAlert, CircleCheck, X } from "lucide-react";
import { Toast as Primitive } from "radix-ui";
import type { ReactNode } from "react";

import { strings } from "../strings";
import { Button } from "./button";
import { Marked } from "./marked";
import { type Toast, useToasts } from "./toasts";

const INFO_MS = 5_000;
/** With something to decide, and perhaps to press. */
const ACTION_MS = 12_000;

export function Toaster(): ReactNode {
  const { toasts, dismiss } = useToasts();
  return (
    <Primitive.Provider label={strings.notices.label} swipeDirection="right">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} onDismiss={dismiss} />
      ))}
      <Primitive.Viewport
        label={strings.notices.region}
        data-unprinted
        className="fixed right-0 bottom-16 z-50 flex w-full max-w-md flex-col gap-2 p-4 md:bottom-0"
      />
    </Primitive.Provider>
  );
}

function ToastCard({ toast, onDismiss }: { toast: Toast; onDismiss: (id: number) => void }): ReactNode {
  const isError = toast.kind === "error";
  const Icon = isError ? CircleAlert : CircleCheck;
  return (
    <Primitive.Root
      type={isError ? "foreground" : "background"}
      duration={toast.stays ? Infinity : toast.action === null ? INFO_MS : ACTION_MS}
      onOpenChange={(open) => {
        if (!open) onDismiss(toast.id);
      }}
      className="flex items-start gap-3 rounded-lg border border-line bg-card p-4 shadow-lg"
    >
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${isError ? "text-fail" : "text-ok"}`} />
      <div className="min-w-0 flex-1">
        <Primitive.Title className="font-semibold">
          {toast.title}
          <FullStop />
        </Primitive.Title>
        <Primitive.Description className="text-base text-ink-soft">
          {toast.message !== null && (
            <>
              <Marked className="block" text={toast.message} />
              <FullStop />
            </>
          )}
          {toast.hint !== null && <Marked className="block" text={toast.hint} />}
        </Primitive.Description>
      </div>
      {toast.action !== null && (
        <Primitive.Action asChild altText={toast.action.how}>
          <Button look="quiet" className="-my-2" onClick={toast.action.run}>
            {toast.action.name}
          </Button>
        </Primitive.Action>
      )}
      <Primitive.Close
        aria-label={strings.notices.dismiss}
        className="-m-2 grid size-10 shrink-0 place-items-center rounded-md hover:bg-paper"
      >
        <X aria-hidden className="size-5" />
      </Primitive.Close>
    </Primitive.Root>
  );
}

/** Radix reads a notice out as one text: without this, two sentences become one. */
function FullStop(): ReactNode {
  return <span className="sr-only">. </span>;
}
