/** Makes an empty document. */

import { type ReactNode, useState } from "react";

import { strings } from "../../../strings";
import { NewFileForm } from "../../../ui/new-file-form";
import { useSaveDocument } from "../hooks";

const text = strings.memory.documents;

export function NewDocument({ onCreated }: { onCreated: (path: string) => void }): ReactNode {
  const [path, setPath] = useState("");
  const save = useSaveDocument(path.trim());
  return (
    <NewFileForm
      words={text}
      path={path}
      error={save.error}
      isBusy={save.isPending}
      onChange={(typed) => {
        setPath(typed);
        save.reset();
      }}
      onCreate={() => {
        const name = path.trim().split("/").at(-2) ?? "";
        save.mutate(
          { text: name === "" ? "# \n" : `# ${name}\n`, base: "" },
          {
            onSuccess: (written) => {
              setPath("");
              onCreated(written.path);
            },
          },
        );
      }}
    />
  );
}
