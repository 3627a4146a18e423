/** The tree of a run beside the time it took, and everything about the chosen step. */

import { ChevronsDownUp, ChevronsUpDown, CircleX, ZoomOut } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";

import { traceStrings } from "../../../strings-traces";
import { Button } from "../../../ui/button";
import { Tick } from "../../../ui/field";
import type { TraceDetail } from "../../../wire/generated";
import { SpanPanel } from "./span-panel";
import { closer, idleTimes, makeTimeline } from "./timeline";
import { buildTree, type Tree } from "./tree";
import type { Wanted } from "./tree-keys";
import { above, openAtFirst, visibleNodes, withChildren } from "./tree-walk";
import { Waterfall } from "./waterfall";

const text = traceStrings.tree;

interface TimelineTabProps {
  detail: TraceDetail;
  nowUs: number;
  /** The step that is chosen at first. */
  first: string | null;
  onReplay: (step: string) => void;
}

export function TimelineTab({ detail, nowUs, first, onReplay }: TimelineTabProps): ReactNode {
  const tree = useMemo(() => buildTree(detail, nowUs), [detail, nowUs]);
  const [chosen, setChosen] = useState(() => (first !== null && tree.byId.has(first) ? first : ""));
  const [open, setOpen] = useState<ReadonlySet<string>>(() => {
    return new Set([...openAtFirst(tree), ...above(tree, tree.byId.get(chosen) ?? 0)]);
  });
  const [zoomed, setZoomed] = useState<string | null>(null);
  const idle = useMemo(() => idleTimes(tree.nodes), [tree]);
  const [isPacked, setPacked] = useState(true);
  const timeline = useMemo(() => {
    const whole = makeTimeline(tree.nodes, isPacked);
    const part = tree.nodes[tree.byId.get(zoomed ?? "") ?? 0];
    return zoomed === null || part === undefined ? whole : closer(whole, part);
  }, [tree, isPacked, zoomed]);
  const seen = useMemo(() => visibleNodes(tree, open), [tree, open]);
  const at = tree.byId.get(chosen) ?? 0;
  const node = tree.nodes[at];
  const apply = ({ to, open: opened, close }: Wanted): void => {
    const next = to === undefined ? undefined : tree.nodes[to];
    if (opened !== undefined || close !== undefined) {
      setOpen((before) => new Set([...before, ...(opened ?? [])].filter((id) => id !== close)));
    }
    // What is closed above the chosen one is chosen instead.
    if (close !== undefined && above(tree, at).includes(close)) setChosen(close);
    if (next === undefined || to === undefined) return;
    setChosen(next.id);
    setOpen((before) => (above(tree, to).every((id) => before.has(id)) ? before : new Set([...before, ...above(tree, to)])));
  };
  const toggleZoom = (): void => {
    setZoomed((before) => (before === chosen || chosen === "" ? null : chosen));
  };
  return (
    <>
      <Tools
        tree={tree}
        at={at}
        onGo={(to) => {
          apply({ to });
        }}
        onOpen={setOpen}
        onClose={() => {
          setOpen(new Set([""]));
          // The turn of the chosen step is the nearest of what is still seen.
          setChosen(above(tree, at)[1] ?? chosen);
        }}
      >
        {idle.length > 0 && <Tick label={text.packed} isTicked={isPacked} onTick={setPacked} />}
        {zoomed !== null && (
          <Button look="quiet" onClick={toggleZoom}>
            <ZoomOut aria-hidden className="size-4.5" />
            {text.unzoom}
          </Button>
        )}
      </Tools>
      <Waterfall tree={tree} seen={seen} open={open} at={at} timeline={timeline} onWanted={apply} onZoom={toggleZoom} />
      {node !== undefined && (
        <SpanPanel
          run={detail.run.id}
          node={node}
          startedUs={detail.startedUs}
          isZoomed={zoomed === node.id}
          onZoom={node.id === "" ? null : toggleZoom}
          onReplay={node.id === "" || node.kind === "turn" ? null : onReplay}
        />
      )}
    </>
  );
}

interface ToolsProps {
  tree: Tree;
  at: number;
  onGo: (to: number) => void;
  onOpen: (open: ReadonlySet<string>) => void;
  onClose: () => void;
  children: ReactNode;
}

function Tools({ tree, at, onGo, onOpen, onClose, children }: ToolsProps): ReactNode {
  const failures = useMemo(
    () => tree.nodes.flatMap(({ failed, kind }, place) => (failed && kind !== "turn" && kind !== "run" ? [place] : [])),
    [tree],
  );
  const all = useMemo(() => withChildren(tree.nodes), [tree]);
  const goToNext = (): void => {
    const here = tree.nodes[at]?.start ?? 0;
    const later = failures.find((place) => (tree.nodes[place]?.start ?? 0) > here || (tree.nodes[place]?.start === here && place > at));
    onGo(later ?? failures[0] ?? 0);
  };
  return (
    <div data-unprinted className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button
        look="quiet"
        onClick={() => {
          onOpen(all);
        }}
      >
        <ChevronsUpDown aria-hidden className="size-4.5" />
        {text.openAll}
      </Button>
      <Button look="quiet" onClick={onClose}>
        <ChevronsDownUp aria-hidden className="size-4.5" />
        {text.closeAll}
      </Button>
      {failures.length > 0 && (
        <Button look="quiet" onClick={goToNext}>
          <CircleX aria-hidden className="size-4.5 text-fail" />
          {text.nextFailed(failures.length)}
        </Button>
      )}
      {children}
    </div>
  );
}

