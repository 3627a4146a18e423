/** Everything about one memory, and what can be done with it. */

import { Copy, Pencil, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";

import { strings } from "../../../strings";
import { notify, notifyError } from "../../../toasts/toasts";
import { Button } from "../../../ui/button";
import { QueryError } from "../../../ui/error-panel";
import { Bars } from "../../../ui/plots/bars";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { MemoryResult, MemoryShown } from "../../../wire/generated";
import { useMemoryShown } from "../hooks";
import type { DetailPanelProps } from "./detail-panel";
import { EditForm } from "./edit-form";
import { ForgetDialog } from "./forget-dialog";
import { LinkButton } from "./link-button";
import { Origin, Recalls, Versions } from "./origin";

const text = strings.memory.detail;

export function Detail({ id, result, onClose, onGo }: DetailPanelProps): ReactNode {
  const shown = useMemoryShown(id);
  const memory = shown.data;
  if (memory === undefined) {
    if (shown.isError) return <QueryError title={text.failed} query={shown} />;
    return (
      <Loading label={text.loading}>
        <Skeleton className="h-24" />
        <Skeleton className="mt-4 h-40" />
      </Loading>
    );
  }
  if (memory === null) return <p role="status">{text.forgotten}</p>;
  const newest = memory.later.at(-1);
  return (
    <>
      {newest !== undefined && (
        <p className="mb-3 border-l-4 border-l-warn pl-3">
          <span className="font-semibold">{text.replacedBy}</span>{" "}
          <LinkButton
            onClick={() => {
              onGo(newest.id);
            }}
          >
            {text.toNewest}
          </LinkButton>
        </p>
      )}
      <Words memory={memory} onClose={onClose} onGo={onGo} />
      {result !== null && <Why result={result} />}
      <Origin memory={memory} />
      <Versions memory={memory} onGo={onGo} />
      <Recalls memory={memory} />
    </>
  );
}

interface WordsProps {
  memory: MemoryShown;
  onClose: () => void;
  onGo: (id: string) => void;
}

function Words({ memory, onClose, onGo }: WordsProps): ReactNode {
  const [doing, setDoing] = useState<"edit" | "forget" | null>(null);
  const stop = (): void => {
    setDoing(null);
  };
  if (doing === "edit") {
    return <EditForm memory={memory} onCancel={stop} onSaved={onGo} />;
  }
  return (
    <>
      <p className="text-lg whitespace-pre-wrap">{memory.text}</p>
      <div className="mt-4 flex flex-wrap gap-2">
        {memory.mine && memory.supersededBy === null && (
          <Button
            look="quiet"
            onClick={() => {
              setDoing("edit");
            }}
          >
            <Pencil aria-hidden className="size-4" />
            {text.edit}
          </Button>
        )}
        {memory.mine && (
          <Button
            look="quiet"
            onClick={() => {
              setDoing("forget");
            }}
          >
            <Trash2 aria-hidden className="size-4" />
            {text.forget}
          </Button>
        )}
        <Button look="quiet" onClick={() => void copyId(memory.id)}>
          <Copy aria-hidden className="size-4" />
          {text.copyId}
        </Button>
      </div>
      {!memory.mine && <p className="mt-2 text-ink-soft">{text.notMine(memory.owner)}</p>}
      {doing === "forget" && <ForgetDialog id={memory.id} onCancel={stop} onForgotten={onClose} />}
    </>
  );
}

function Why({ result }: { result: MemoryResult }): ReactNode {
  const bars = Object.entries(result.why)
    .filter(([, value]) => value !== 0)
    .sort(([, one], [, other]) => other - one)
    .map(([name, value]) => ({ name: text.parts[name] ?? name, value, shown: value.toFixed(3) }));
  return (
    <section className="mt-7">
      <h3 className="mb-2 text-lg">{text.why}</h3>
      <Bars caption={text.why} columns={{ name: text.whyTable.part, value: text.whyTable.value }} bars={bars} />
    </section>
  );
}

async function copyId(id: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(id);
    notify(text.copied);
  } catch {
    notifyError(text.copyFailed, { hint: text.copyFailedHint });
  }
}
