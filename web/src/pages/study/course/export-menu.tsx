/** A copy of a course to take along. */

import { ChevronDown, Download as DownloadIcon } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { type ReactNode, useState } from "react";

import { keep } from "../../../api/plan-download";
import { STUDY_EXPORTS, type StudyExport } from "../../../api/study-api";
import { useServices } from "../../../services";
import { coursesStrings } from "../../../strings-study-courses";
import { notify, notifyError } from "../../../toasts/toasts";
import { Button } from "../../../ui/button";

const text = coursesStrings.course;

export function ExportMenu({ course }: { course: string }): ReactNode {
  const { study } = useServices().api;
  const [isBusy, setIsBusy] = useState(false);
  const fetchFile = async (to: StudyExport): Promise<void> => {
    setIsBusy(true);
    try {
      const file = await study.exportCourse(course, to);
      keep(file);
      notify(text.exported(file.name));
    } catch (error) {
      notifyError(text.exportFailed, error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        {/* Not disabled meanwhile: the focus comes back to it. */}
        <Button look="quiet" aria-busy={isBusy}>
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
          {STUDY_EXPORTS.map((to) => (
            <DropdownMenu.Item
              key={to}
              onSelect={() => void fetchFile(to)}
              className="flex min-h-10 cursor-pointer items-center rounded-md px-3 outline-none data-highlighted:bg-accent data-highlighted:text-on-accent"
            >
              {text.exports[to]}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
