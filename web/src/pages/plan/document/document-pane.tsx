/** The right side: a lesson to read or a file to change, and the curriculum line that was asked for. */

import { BookOpenText, PenLine, X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";

import { planStrings } from "../../../strings-plan";
import { Button, IconButton } from "../../../ui/button";
import { useAddress } from "../address";
import { FileEditor } from "../editor/file-editor";
import { rowId } from "../workspace/group";
import { ClassErrors, classOf } from "./class-errors";
import { LessonView } from "./lesson-view";
import { LinesPanel } from "./lines-panel";

const text = planStrings.document;

export function DocumentPane(): ReactNode {
  const { file, line, lesson, lines } = useAddress();
  const path = lesson ?? file;
  const classId = path === null ? null : classOf(path);
  return (
    <div className="flex h-full min-h-0 flex-col">
      {path !== null && <Bar key={path} path={path} isLesson={lesson !== null} />}
      {path !== null && (
        <div className="relative min-h-0 flex-1 lg:overflow-auto">
          {lesson === null ? <FileEditor path={path} line={line} /> : <LessonView path={path} />}
        </div>
      )}
      {classId !== null && (
        <div className="shrink-0 border-t border-line lg:max-h-[45%] lg:overflow-auto">
          <ClassErrors key={classId} classId={classId} />
        </div>
      )}
      {lines !== null && <LinesPanel pointer={lines} isAlone={path === null} />}
    </div>
  );
}

function Bar({ path, isLesson }: { path: string; isLesson: boolean }): ReactNode {
  const { openFile, openLesson, closeDocument } = useAddress();
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) return;
    isFirst.current = false;
    // Opened with the keyboard or the mouse: tell readers which document it is. A reload takes no focus.
    if (document.activeElement !== document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  const isReadable = /^(lessons|units|worksheets)\/.*\.md$/.test(path);
  return (
    <div data-unprinted className="flex shrink-0 items-center gap-1 border-b border-line py-1.5 pr-1.5 pl-5 max-lg:pl-0">
      <h2 ref={heading} tabIndex={-1} className="mr-auto min-w-0 truncate font-sans text-base text-ink-soft outline-none" title={path}>
        {path}
      </h2>
      {isReadable && (
        <Button
          look="quiet"
          onClick={() => {
            if (isLesson) openFile(path);
            else openLesson(path);
          }}
        >
          {isLesson ? <PenLine aria-hidden className="size-4" /> : <BookOpenText aria-hidden className="size-4" />}
          {isLesson ? text.edit : text.read}
        </Button>
      )}
      <IconButton
        label={text.close}
        onClick={() => {
          closeDocument();
          returnFocus(path);
        }}
      >
        <X aria-hidden className="size-5" />
      </IconButton>
    </div>
  );
}

/** To where the document was opened, if that is still shown. */
function returnFocus(path: string): void {
  requestAnimationFrame(() => {
    const row = document.getElementById(rowId(path));
    if (row?.checkVisibility() === true) row.focus({ preventScroll: true });
    else document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
  });
}
