/** Before any agent is guarded: what happens here, and how it begins. */

import { Terminal } from "lucide-react";
import type { ReactNode } from "react";

import { guardStrings } from "../../../strings-guard";
import { Button } from "../../../ui/button";
import { Marked } from "../../../ui/marked";
import { useAddress } from "../address";
import { useHosts } from "../hooks";

const text = guardStrings.empty;

export function NothingYet(): ReactNode {
  const { go } = useAddress();
  const hosts = useHosts();
  const isInstalled = hosts.data?.hosts.some(({ levels }) => levels.length > 0) === true;
  return (
    <section className="max-w-3xl rounded-lg border border-dashed border-edge p-6">
      <h2 className="text-xl">{isInstalled ? text.installed : text.title}</h2>
      <p className="mt-2 text-ink-soft">{isInstalled ? text.installedHint : text.lead}</p>
      {!isInstalled && (
        <ol className="mt-5 grid gap-4 sm:grid-cols-3">
          {text.steps.map((step, place) => (
            <li key={step.command} className="rounded-lg border border-line bg-card p-4">
              <p className="font-semibold">
                {place + 1}. {step.title}
              </p>
              <p className="mt-2 flex items-center gap-2 rounded bg-line/60 px-2 py-1.5">
                <Terminal aria-hidden className="size-4 shrink-0 text-ink-soft" />
                <code className="text-[0.9em]">{step.command}</code>
              </p>
              <Marked className="mt-2 block text-base text-ink-soft" text={step.text} />
            </li>
          ))}
        </ol>
      )}
      <div className="mt-5 flex flex-wrap gap-2">
        {!isInstalled && (
          <Button
            onClick={() => {
              go({ tab: "hosts" });
            }}
          >
            {text.toHosts}
          </Button>
        )}
        <Button
          look="quiet"
          onClick={() => {
            go({ tab: "explain" });
          }}
        >
          {text.toExplain}
        </Button>
      </div>
    </section>
  );
}
