/** The left side: what was asked for before, and the files that plans are made from. */

import type { ReactNode } from "react";

import { planStrings } from "../../../strings-plan";
import { QueryError } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
import { useFiles } from "../hooks";
import { MemoryFiles } from "./memory-files";
import { NewFile } from "./new-file";
import { Sessions } from "./sessions";
import { Tree } from "./tree";

const text = planStrings.workspace;

export function WorkspacePane(): ReactNode {
  return (
    <div className="flex flex-col gap-6 pt-4 pb-6 lg:px-3">
      <Sessions />
      <div>
        <h2 className="px-2 text-lg">{text.heading}</h2>
        <Files />
      </div>
    </div>
  );
}

function Files(): ReactNode {
  const files = useFiles();
  if (files.data === undefined) {
    if (files.isError) return <QueryError title={text.failed} query={files} />;
    return (
      <Loading label={text.loading}>
        <Skeleton className="mt-3 h-64" />
      </Loading>
    );
  }
  return (
    <>
      <Tree files={files.data} />
      <MemoryFiles />
      <NewFile />
    </>
  );
}
