/** What can be done with a lesson: take it along, print it, ask for changes. */

import { ChevronDown, Download as DownloadIcon, MessageSquareText, Printer } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { type MouseEvent, type ReactNode, useState } from "react";

import { EXPORTS, exportAddress, type ExportFormat } from "../../../api/plan-api";
import { keep } from "../../../api/plan-download";
import { useServices } from "../../../services";
import { planStrings } from "../../../strings-plan";
import { notify, notifyError } from "../../../toasts/toasts";
import { Button } from "../../../ui/button";
import type { PlanLesson } from "../../../wire/generated";
import { useAddress } from "../address";
import { useRequest } from "../chat/request";

const text = planStrings.document;

export function LessonActions({ lesson }: { lesson: PlanLesson }): ReactNode {
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      <ExportMenu path={lesson.path} />
      <Button
        look="quiet"
        onClick={() => {
          window.print();
        }}
      >
        <Printer aria-hidden className="size-4" />
        {text.print}
      </Button>
      <RefineButton lesson={lesson} />
    </div>
  );
}

function ExportMenu({ path }: { path: string }): ReactNode {
  const { plan } = useServices().api;
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const fetchFile = async (to: ExportFormat): Promise<void> => {
    setIsBusy(true);
    try {
      const file = await plan.download(path, to);
      keep(file);
      notify(text.exported(file.name));
    } catch (error) {
      notifyError(text.exportFailed, error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={setIsOpen}>
      <DropdownMenu.Trigger asChild>
        {/* Not disabled meanwhile: the focus comes back to it. */}
        <Button aria-busy={isBusy}>
          <DownloadIcon aria-hidden className="size-4" />
          {isBusy ? text.exporting : text.export}
          <ChevronDown aria-hidden className="size-4" />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          sideOffset={6}
          aria-label={text.exportMenu}
          className="z-30 min-w-56 rounded-lg border border-line bg-card p-1.5 shadow-xl"
        >
          {EXPORTS.map((to) => (
            <DropdownMenu.Item key={to} asChild>
              <a
                href={exportAddress(path, to)}
                download
                className="flex min-h-10 items-center rounded-md px-3 outline-none data-highlighted:bg-accent data-highlighted:text-on-accent"
                onClick={(event: MouseEvent) => {
                  // A plain click is told why a file cannot be made; the link itself can be opened and copied.
                  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                  event.preventDefault();
                  setIsOpen(false);
                  void fetchFile(to);
                }}
              >
                {text.formats[to]}
              </a>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
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
