/** The orchestra board: where every feature stands, who works on it, and how it got there. */

import type { ReactNode } from "react";

import { orchestraStrings } from "../../../strings-guard-orchestra";
import { Answered } from "../../../ui/answered";
import { Marked } from "../../../ui/marked";
import { Skeleton } from "../../../ui/skeleton";
import { Teaching } from "../../../ui/teaching";
import type { OrchestraBoard } from "../../../wire/generated";
import { Columns } from "./columns";
import { BoardFigures } from "./figures";
import { Handoffs } from "./handoffs";
import { useBoard } from "./hooks";
import { Metrics } from "./metrics";
import { Runs } from "./runs";

const text = orchestraStrings;

export default function OrchestraPage(): ReactNode {
  return (
    <Answered query={useBoard()} words={text} skeleton={<Skeleton className="mt-6 h-96" />}>
      {(board) => (
        <>
          {board.begun ? <Board board={board} /> : <Teaching words={text.empty} />}
          <Metrics />
        </>
      )}
    </Answered>
  );
}

function Board({ board }: { board: OrchestraBoard }): ReactNode {
  return (
    <>
      <Head board={board} />
      <Columns features={board.features} />
      <BoardFigures board={board} />
      <Runs runs={board.runs} />
      <Handoffs features={board.features} />
    </>
  );
}

function Head({ board }: { board: OrchestraBoard }): ReactNode {
  return (
    <section aria-labelledby="orchestra-goal" className="mt-6">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <h2 id="orchestra-goal" className="max-w-3xl min-w-0 flex-1 basis-80 text-xl">
          {board.goal === "" ? text.heading : board.goal}
        </h2>
        <p className="flex items-center gap-2 text-base text-ink-soft">
          {board.running && <span aria-hidden className="size-2.5 animate-pulse rounded-full bg-ok motion-reduce:animate-none" />}
          {board.running ? text.running : text.resting}
        </p>
      </div>
      {board.next !== null && (
        <p className="mt-2">
          <span className="font-semibold">{text.next}: </span>
          <Marked text={board.next.sentence} />
        </p>
      )}
      {board.waits !== "" && (
        <p className="mt-2 border-l-4 border-warn pl-3">
          <Marked text={board.waits} />
        </p>
      )}
    </section>
  );
}
