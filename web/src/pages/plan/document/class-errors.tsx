/** What many learners of a class get wrong, below its profile; there is nobody's name in it. */

import type { ReactNode } from "react";

import { locale } from "../../../locale/words";
import { classStrings as text } from "../../../strings-plan-class";
import { QueryError } from "../../../ui/error-panel";
import { ShareBars, type ShareRow } from "../../../ui/plots/share-bars";
import { Section } from "../../../ui/section";
import type { ClassMisconception } from "../../../wire/generated";
import { useClassErrors } from "../hooks";

const PROFILE = /^classes\/([^/]+)\.md$/;

/** The class whose profile a path is, if it is one. */
export function classOf(path: string): string | null {
  return PROFILE.exec(path)?.[1] ?? null;
}

export function ClassErrors({ classId }: { classId: string }): ReactNode {
  const found = useClassErrors(classId);
  if (found.isError) return <QueryError title={text.failed} query={found} />;
  if (found.data === undefined) return null;
  const { misconceptions, fewest } = found.data;
  const most = Math.max(1, ...misconceptions.map(({ learners }) => learners));
  return (
    <Section heading={text.heading(classId)} lead={misconceptions.length === 0 ? text.none(fewest) : text.lead(fewest)} isSmall className="px-5 py-4 max-lg:px-0">
      {misconceptions.length > 0 && (
        <ShareBars caption={text.caption(classId)} columns={text.columns} rows={misconceptions.map((each) => rowOf(each, most))} isWordy />
      )}
    </Section>
  );
}

function rowOf(each: ClassMisconception, most: number): ShareRow {
  return {
    id: `${each.concept}/${each.kind}/${each.example}`,
    name: text.name(each.title, each.idea),
    note: noteOf(each),
    share: each.learners / most,
    shown: text.learners(each.learners),
  };
}

function noteOf({ example, helps, since }: ClassMisconception): string {
  const day = since === null ? null : new Date(since).toLocaleDateString(locale(), { day: "numeric", month: "long", year: "numeric" });
  const parts = [example === "" ? "" : text.example(example), ...helps, day === null ? "" : text.since(day)];
  return parts.filter((part) => part !== "").join(" ");
}
