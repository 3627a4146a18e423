/** What can be done with a lesson: take it along, print it, ask for changes. */

import { Download as DownloadIcon, MessageSquareText } from "lucide-react";
import { type MouseEvent, type ReactNode, useState } from "react";

import { EXPORTS, exportAddress, type ExportFormat } from "../../../api/plan-api";
import { useServices } from "../../../services";
import { planStrings } from "../../../strings-plan";
import { Button } from "../../../ui/button";
import { Menu, MenuItem } from "../../../ui/menu";
import { PrintButton } from "../../../ui/print-button";
import { useDownload } from "../../../ui/use-download";
import type { PlanLesson } from "../../../wire/generated";
import { useAddress } from "../address";
import { useRequest } from "../chat/request";

const text = planStrings.document;

export function LessonActions({ lesson }: { lesson: PlanLesson }): ReactNode {
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      <ExportMenu path={lesson.path} />
      <PrintButton words={text.print} />
      <RefineButton lesson={lesson} />
    </div>
  );
}

function ExportMenu({ path }: { path: string }): ReactNode {
  const { plan } = useServices().api;
  const [isOpen, setIsOpen] = useState(false);
  const { isBusy, download } = useDownload(text, (to: ExportFormat) => plan.download(path, to));
  return (
    <Menu
      label={text.exportMenu}
      look="primary"
      isBusy={isBusy}
      open={isOpen}
      onOpenChange={setIsOpen}
      button={
        <>
          <DownloadIcon aria-hidden className="size-4" />
          {isBusy ? text.exporting : text.export}
        </>
      }
    >
      {EXPORTS.map((to) => (
        <MenuItem key={to} asChild>
          <a
            href={exportAddress(path, to)}
            download
            onClick={(event: MouseEvent) => {
              // A plain click is told why a file cannot be made; the link itself can be opened and copied.
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              setIsOpen(false);
              download(to);
            }}
          >
            {text.formats[to]}
          </a>
        </MenuItem>
      ))}
    </Menu>
  );
}

function RefineButton({ lesson }: { lesson: PlanLesson }): ReactNode {
  const { go } = useAddress();
  const { begin } = useRequest.getState();
  if (!lesson.path.startsWith("lessons/")) return null;
  return (
    <Button
      look="quiet"
      onClick={() => {
        begin({ command: "refine-lesson", words: text.refineRequest(lesson.path), classId: lesson.classId });
        go({ session: null, pane: null });
      }}
    >
      <MessageSquareText aria-hidden className="size-4" />
      {text.refine}
    </Button>
  );
}
