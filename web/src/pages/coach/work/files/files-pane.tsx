/** The explorer: the tree, or why there is none yet. */

import type { ReactNode } from "react";

import { coachStrings } from "../../../../strings-coach";
import { Loading, Skeleton } from "../../../../ui/skeleton";
import { useFiles } from "../../state/files";
import { FileTree } from "./file-tree";

const text = coachStrings.files;

export function FilesPane(): ReactNode {
  const tree = useFiles((files) => files.tree);
  const isTruncated = useFiles((files) => files.isTruncated);
  if (tree === null) {
    return (
      <Loading label={text.loading}>
        <div className="flex flex-col gap-2 p-3">
          {[70, 50, 60, 40, 55].map((width) => (
            <div key={width} style={{ width: `${width}%` }}>
              <Skeleton className="h-6" />
            </div>
          ))}
        </div>
      </Loading>
    );
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      <h2 className="px-3 pt-2.5 pb-1.5 font-sans text-base font-semibold text-ink-soft max-lg:hidden">{text.heading}</h2>
      {isTruncated && <p className="px-3 pb-1 text-base text-warn">{text.truncated}</p>}
      <FileTree root={tree} />
    </div>
  );
}
