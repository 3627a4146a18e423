/** Makes a file: a class begins with the parts that plans are made from. */

import { type ReactNode, useState } from "react";

import { planStrings } from "../../../strings-plan";
import { NewFileForm } from "../../../ui/new-file-form";
import { useSaveFile } from "../actions";
import { useAddress } from "../address";

const text = planStrings.workspace;

export function NewFile(): ReactNode {
  const [path, setPath] = useState("");
  const { openFile } = useAddress();
  const save = useSaveFile(path.trim());
  return (
    <NewFileForm
      words={text}
      className="mx-2 mt-4"
      path={path}
      error={save.error}
      isBusy={save.isPending}
      onChange={(typed) => {
        setPath(typed);
        save.reset();
      }}
      onCreate={() => {
        save.mutate(
          { text: beginningOf(path.trim()) },
          {
            onSuccess: (written) => {
              setPath("");
              openFile(written.path);
            },
          },
        );
      }}
    />
  );
}

export function beginningOf(path: string): string {
  const name = (path.split("/").at(-1) ?? path).replace(/\.md$/, "");
  return path.startsWith("classes/") ? text.classTemplate(name) : `# ${name}\n`;
}
