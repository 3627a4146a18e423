/** Makes an empty document. */

import { type ReactNode, useState } from "react";

import { strings } from "../../../strings";
import { Button } from "../../../ui/button";
import { FormError } from "../../../ui/form-error";
import { Marked } from "../../../ui/marked";
import { useSaveDocument } from "../hooks";

const text = strings.memory.documents;

export function NewDocument({ onCreated }: { onCreated: (path: string) => void }): ReactNode {
  const [path, setPath] = useState("");
  const save = useSaveDocument(path.trim());
  const create = (): void => {
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
  };
  return (
    <details className="rounded-lg border border-line p-3">
      <summary className="cursor-pointer font-semibold hover:text-accent">{text.new}</summary>
      <form
        className="mt-3 flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          create();
        }}
      >
        <label htmlFor="new-document">{text.newPath}</label>
        <input
          id="new-document"
          value={path}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={save.isError}
          aria-describedby={save.isError ? "new-document-error" : "new-document-hint"}
          onChange={(event) => {
            setPath(event.target.value);
            save.reset();
          }}
          className="min-h-11 w-full rounded-md border border-edge bg-card px-3"
        />
        <p id="new-document-hint" className="text-base text-ink-soft">
          <Marked text={text.newHint} />
        </p>
        {save.isError && <FormError id="new-document-error" error={save.error} />}
        <Button type="submit" look="quiet" disabled={path.trim() === "" || save.isPending}>
          {text.create}
        </Button>
      </form>
    </details>
  );
}
