/** Makes a file: a class begins with the parts that plans are made from. */

import { type ReactNode, useState } from "react";

import { planStrings } from "../../../strings-plan";
import { Button } from "../../../ui/button";
import { FormError } from "../../../ui/form-error";
import { Marked } from "../../../ui/marked";
import { useSaveFile } from "../actions";
import { useAddress } from "../address";

const text = planStrings.workspace;

export function NewFile(): ReactNode {
  const [path, setPath] = useState("");
  const { openFile } = useAddress();
  const save = useSaveFile(path.trim());
  return (
    <details className="mx-2 mt-4 rounded-lg border border-line p-3">
      <summary className="cursor-pointer font-semibold hover:text-accent">{text.new}</summary>
      <form
        className="mt-3 flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
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
      >
        <label htmlFor="plan-new-file">{text.newPath}</label>
        <input
          id="plan-new-file"
          value={path}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={save.isError}
          aria-describedby={save.isError ? "plan-new-file-error" : "plan-new-file-hint"}
          onChange={(event) => {
            setPath(event.target.value);
            save.reset();
          }}
          className="min-h-11 w-full rounded-md border border-edge bg-card px-3"
        />
        <p id="plan-new-file-hint" className="text-sm text-ink-soft">
          <Marked text={text.newHint} />
        </p>
        {save.isError && <FormError id="plan-new-file-error" error={save.error} />}
        <Button type="submit" look="quiet" disabled={path.trim() === "" || save.isPending}>
          {save.isPending ? text.creating : text.create}
        </Button>
      </form>
    </details>
  );
}

export function beginningOf(path: string): string {
  const name = (path.split("/").at(-1) ?? path).replace(/\.md$/, "");
  return path.startsWith("classes/") ? text.classTemplate(name) : `# ${name}\n`;
}
