/** The open memory: beside the list where there is room, over it where there is not. */

import { clsx } from "clsx";
import { Copy, Pencil, Trash2, X } from "lucide-react";
import { type KeyboardEvent as ReactKeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";

import { strings } from "../../strings";
import { Button, IconButton } from "../../ui/button";
import { formatMoment, When } from "../../ui/data/when";
import { ConfirmDialog, Dialog } from "../../ui/dialog";
import { QueryError } from "../../ui/error-panel";
import { TextArea } from "../../ui/forms/field";
import { Marked } from "../../ui/marked";
import { useMediaQuery } from "../../ui/media";
import { Bars } from "../../ui/plots/bars";
import { Loading, Skeleton } from "../../ui/skeleton";
import { notify, notifyError } from "../../ui/toasts";
import type { MemoryForgotten, MemoryItem, MemoryResult, MemoryShown, MemoryVersion } from "../../wire/generated";
import { useEdit, useForget, useForgetPlan, useMemoryShown } from "./hooks";
import { focusSearch } from "./memory-route";

const text = strings.memory.detail;
const WIDE = "(min-width: 64rem)";

interface DetailPanelProps {
  id: string;
  /** The memory as a search found it; null when it was opened in another way. */
  result: MemoryResult | null;
  onClose: () => void;
  onGo: (id: string) => void;
}

export function DetailPanel(props: DetailPanelProps): ReactNode {
  const isWide = useMediaQuery(WIDE);
  const { id, onClose } = props;
  if (isWide) return <Aside {...props} />;
  return (
    <Dialog
      title={text.heading}
      description={text.description}
      onClose={onClose}
      onClosed={() => {
        focusRow(id);
      }}
    >
      <div className="px-6 pt-4 pb-6">
        <Detail {...props} />
      </div>
    </Dialog>
  );
}

function Aside(props: DetailPanelProps): ReactNode {
  const { id, onClose } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  const close = (): void => {
    onClose();
    focusRow(id);
  };
  useEscape(close);
  return (
    <aside
      aria-labelledby="memory-detail-heading"
      className="sticky top-20 max-h-[calc(100dvh-6rem)] overflow-auto rounded-xl border border-line bg-card"
    >
      <div className="sticky top-0 z-10 flex items-center justify-between bg-card py-2 pr-2 pl-5">
        <h2 id="memory-detail-heading" ref={heading} tabIndex={-1} className="text-xl outline-none">
          {text.heading}
        </h2>
        <IconButton label={strings.close} onClick={close}>
          <X aria-hidden className="size-5" />
        </IconButton>
      </div>
      <div className="px-5 pb-5">
        <Detail {...props} onClose={close} />
      </div>
    </aside>
  );
}

/** Where one was before; a row that is gone leaves its place to the search. */
function focusRow(id: string): void {
  requestAnimationFrame(() => {
    const row = document.getElementById(rowId(id));
    if (row === null) focusSearch();
    else row.focus();
  });
}

function useEscape(close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    const handle = (event: KeyboardEvent): void => {
      const isElsewhere = document.querySelector("[role=dialog], [role=alertdialog]") !== null;
      if (event.key === "Escape" && !isElsewhere) latest.current();
    };
    window.addEventListener("keydown", handle);
    return () => {
      window.removeEventListener("keydown", handle);
    };
  }, []);
}

/** Everything about one memory, and what can be done with it. */
function Detail({ id, result, onClose, onGo }: DetailPanelProps): ReactNode {
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

/** Where a memory comes from, its other versions, and the prompts it was put into. */
function Origin({ memory }: { memory: MemoryShown }): ReactNode {
  const facts = text.facts;
  const { id, role, tool } = memory.agent;
  const rows: [string, string | null][] = [
    [facts.speaker, memory.speaker],
    [facts.at, formatMoment(memory.at)],
    [facts.type, memory.type.replaceAll("_", " ")],
    [facts.key, memory.key],
    [facts.scope, strings.memory.scopes[memory.scope]],
    [facts.project, memory.project],
    [facts.owner, memory.owner],
    [facts.shared, memory.acl.join(", ")],
    [facts.importance, memory.importance.toFixed(2)],
    [facts.session, memory.session ?? memory.sessionId],
    [facts.trace, memory.traceId],
    [facts.agent, [id, role, tool].filter((part) => part !== null).join(" · ")],
    [facts.task, memory.task],
    [facts.outcome, memory.outcome],
    [facts.evidence, memory.evidence.join("\n")],
    [facts.id, memory.id],
    [facts.place, text.line(memory.line.seq)],
    [facts.hash, memory.line.hash],
    [facts.prev, memory.line.prev],
  ];
  return (
    <Section heading={text.origin}>
      <dl className="divide-y divide-rule border-y border-rule text-base">
        {rows.map(([name, value]) =>
          value === null || value === "" ? null : (
            <div key={name} className="grid grid-cols-[6.5rem_1fr] gap-x-3 py-1.5">
              <dt className="text-ink-soft">{name}</dt>
              <dd className="whitespace-pre-wrap">{value}</dd>
            </div>
          ),
        )}
      </dl>
    </Section>
  );
}

function Versions({ memory, onGo }: { memory: MemoryShown; onGo: (id: string) => void }): ReactNode {
  const { earlier, later } = memory;
  return (
    <Section heading={text.versions}>
      {earlier.length + later.length === 0 && <p className="text-ink-soft">{text.noVersions}</p>}
      <ol className="flex flex-col gap-3">
        {earlier.map((version) => (
          <Version key={version.id} name={text.earlier} version={version} onGo={onGo} />
        ))}
        {later.map((version) => (
          <Version key={version.id} name={text.later} version={version} onGo={onGo} />
        ))}
      </ol>
    </Section>
  );
}

interface VersionProps {
  name: string;
  version: MemoryVersion;
  onGo: (id: string) => void;
}

function Version({ name, version, onGo }: VersionProps): ReactNode {
  return (
    <li className="border-l-2 border-edge pl-3">
      <p className="text-base text-ink-soft">
        {name} · <When at={version.at} />
      </p>
      <LinkButton
        onClick={() => {
          onGo(version.id);
        }}
      >
        <span className="line-clamp-3">{version.text}</span>
      </LinkButton>
    </li>
  );
}

function Recalls({ memory }: { memory: MemoryShown }): ReactNode {
  return (
    <Section heading={text.recalls}>
      {memory.recalls.length === 0 && <p className="text-ink-soft">{text.noRecalls}</p>}
      <ul className="flex flex-col gap-2">
        {memory.recalls.map((recall, place) => (
          <li key={place} className="border-l-2 border-edge pl-3">
            <span className="text-ink-soft">{formatMoment(recall.at)}</span> {text.recalledFor(recall.query)}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Section({ heading, children }: { heading: string; children: ReactNode }): ReactNode {
  return (
    <section className="mt-7">
      <h3 className="mb-2 text-lg">{heading}</h3>
      {children}
    </section>
  );
}

const editText = strings.memory.edit;

interface EditFormProps {
  memory: MemoryShown;
  onCancel: () => void;
  onSaved: (id: string) => void;
}

/** Says a memory better: the new text replaces the old one, which stays in the log. */
function EditForm({ memory, onCancel, onSaved }: EditFormProps): ReactNode {
  const [words, setWords] = useState(memory.text);
  const edit = useEdit(memory.id);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
  }, []);
  const isSame = words.trim() === "" || words === memory.text;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        edit.mutate(words, {
          onSuccess: ({ id, status, reason }) => {
            notify(status === "stored" ? editText.saved : (reason ?? editText.same));
            onSaved(id ?? memory.id);
          },
        });
      }}
    >
      <TextArea label={editText.label} hint={editText.hint} error={edit.error} ref={field} rows={5} value={words} onChange={setWords} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" disabled={isSame || edit.isPending}>
          {edit.isPending ? editText.saving : editText.save}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          {editText.cancel}
        </Button>
      </div>
    </form>
  );
}

const forgetText = strings.memory.forget;

interface ForgetDialogProps {
  id: string;
  onCancel: () => void;
  onForgotten: () => void;
}

/** Forgets a memory for good, after showing everything that goes with it. */
function ForgetDialog({ id, onCancel, onForgotten }: ForgetDialogProps): ReactNode {
  const plan = useForgetPlan(id);
  const forget = useForget(id, ({ lines, remains }) => {
    notify(forgetText.done(lines));
    remains.forEach((where) => {
      notify(where);
    });
    onForgotten();
  });
  const count = plan.data?.going.length ?? 1;
  return (
    <ConfirmDialog
      title={forgetText.title}
      description={forgetText.description}
      confirm={forget.isPending ? forgetText.forgetting : forgetText.confirm(count)}
      cancel={forgetText.cancel}
      busy={plan.data === undefined || forget.isPending}
      error={forget.error ?? plan.error}
      onCancel={onCancel}
      onConfirm={() => {
        forget.mutate();
      }}
    >
      {plan.data === undefined ? !plan.isError && <Planning /> : <Plan plan={plan.data} />}
    </ConfirmDialog>
  );
}

function Planning(): ReactNode {
  return (
    <Loading label={forgetText.planning}>
      <Skeleton className="h-16" />
    </Loading>
  );
}

function Plan({ plan }: { plan: MemoryForgotten }): ReactNode {
  return (
    <div>
      <p className="font-semibold">{forgetText.plan(plan.going.length)}</p>
      <ul className="mt-1 divide-y divide-rule border-y border-rule">
        {plan.going.map((going) => (
          <li key={going.id} className="py-2">
            <p>{going.shown}</p>
            <p className="text-base text-ink-soft">
              <When at={going.at} /> · <Marked text={going.why} />
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A button that reads like a link: it leads to another memory. */
function LinkButton({ onClick, children }: { onClick: () => void; children: ReactNode }): ReactNode {
  return (
    <button type="button" onClick={onClick} className="text-left text-accent underline underline-offset-2 hover:text-accent-strong">
      {children}
    </button>
  );
}

// One memory in a list: what it says, who said it, when, where it holds, how well it matches.

const memoryRowText = strings.memory;

interface MemoryRowProps {
  item: MemoryItem | MemoryResult;
  isOpen: boolean;
  onOpen: (id: string) => void;
}

function rowId(id: string): string {
  return `memory-${id}`;
}

export function MemoryRow({ item, isOpen, onOpen }: MemoryRowProps): ReactNode {
  return (
    <li>
      <button
        type="button"
        id={rowId(item.id)}
        data-memory
        aria-current={isOpen ? "true" : undefined}
        onClick={() => {
          onOpen(item.id);
        }}
        onKeyDown={moveWithArrows}
        className={clsx(
          "block w-full border-l-4 py-3 pr-2 pl-3 text-left transition-colors hover:bg-card",
          isOpen ? "border-l-accent bg-card" : "border-l-transparent",
        )}
      >
        <span className="line-clamp-3 [overflow-wrap:anywhere]">{item.text}</span>
        <span className="mt-1 flex flex-wrap items-baseline gap-x-3 text-base text-ink-soft">
          <span className="font-semibold">{item.speaker ?? item.owner}</span>
          <When at={item.at} />
          <span>
            {memoryRowText.scopes[item.scope]}
            {item.project !== null && ` · ${item.project}`}
          </span>
          {"score" in item && <span className="tabular-nums">{memoryRowText.search.score(item.score)}</span>}
          {item.supersededBy !== null && <span className="font-semibold text-warn">{memoryRowText.search.replaced}</span>}
        </span>
      </button>
    </li>
  );
}

/** The arrow keys go through the list, and from its top back to the search. */
function moveWithArrows(event: ReactKeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const rows = [...document.querySelectorAll<HTMLElement>("[data-memory]")];
  const at = rows.findIndex((row) => row === event.currentTarget);
  if (at + step < 0) document.getElementById("memory-search")?.focus();
  else rows[at + step]?.focus();
}
