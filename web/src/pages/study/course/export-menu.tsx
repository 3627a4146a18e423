/** A copy of a course to take along. */

import { Download as DownloadIcon } from "lucide-react";
import type { ReactNode } from "react";

import { STUDY_EXPORTS, type StudyExport } from "../../../api/study-api";
import { useServices } from "../../../services";
import { coursesStrings } from "../../../strings-study-courses";
import { Menu, MenuItem } from "../../../ui/menu";
import { useDownload } from "../../../ui/use-download";

const text = coursesStrings.course;

export function ExportMenu({ course }: { course: string }): ReactNode {
  const { study } = useServices().api;
  const { isBusy, download } = useDownload(text, (to: StudyExport) => study.exportCourse(course, to));
  return (
    <Menu
      label={text.exportMenu}
      isBusy={isBusy}
      button={
        <>
          <DownloadIcon aria-hidden className="size-4" />
          {isBusy ? text.exporting : text.export}
        </>
      }
    >
      {STUDY_EXPORTS.map((to) => (
        <MenuItem
          key={to}
          onSelect={() => {
            download(to);
          }}
        >
          {text.exports[to]}
        </MenuItem>
      ))}
    </Menu>
  );
}
