/** Where a memory comes from, its other versions, and the prompts it was put into. */

import type { ReactNode } from "react";

import { strings } from "../../../strings";
import { formatMoment, When } from "../../../ui/when";
import type { MemoryShown, MemoryVersion } from "../../../wire/generated";
import { LinkButton } from "./link-button";

const text = strings.memory.detail;

export function Origin({ memory }: { memory: MemoryShown }): ReactNode {
  const facts = text.facts;
  const { id, role, tool } = memory.agent;
  const rows: [string, string | null][] = [
    [facts.speaker, memory.speaker],
    [facts.at, formatMoment(memory.at)],
    [facts.type, memory.type.replaceAll("_", " ")],
    [facts.key, memory.key],
    [facts.scope, strings.memory.scopes[memory.scope]],
    [facts.project, memory.project],
    [facts.owner, memory.owner],
    [facts.shared, memory.acl.join(", ")],
    [facts.importance, memory.importance.toFixed(2)],
    [facts.session, memory.session ?? memory.sessionId],
    [facts.trace, memory.traceId],
    [facts.agent, [id, role, tool].filter((part) => part !== null).join(" · ")],
    [facts.task, memory.task],
    [facts.outcome, memory.outcome],
    [facts.evidence, memory.evidence.join("\n")],
    [facts.id, memory.id],
    [facts.place, text.line(memory.line.seq)],
    [facts.hash, memory.line.hash],
    [facts.prev, memory.line.prev],
  ];
  return (
    <Section heading={text.origin}>
      <dl className="divide-y divide-rule border-y border-rule text-base">
        {rows.map(([name, value]) =>
          value === null || value === "" ? null : (
            <div key={name} className="grid grid-cols-[6.5rem_1fr] gap-x-3 py-1.5">
              <dt className="text-ink-soft">{name}</dt>
              <dd className="whitespace-pre-wrap">{value}</dd>
            </div>
          ),
        )}
      </dl>
    </Section>
  );
}

export function Versions({ memory, onGo }: { memory: MemoryShown; onGo: (id: string) => void }): ReactNode {
  const { earlier, later } = memory;
  return (
    <Section heading={text.versions}>
      {earlier.length + later.length === 0 && <p className="text-ink-soft">{text.noVersions}</p>}
      <ol className="flex flex-col gap-3">
        {earlier.map((version) => (
          <Version key={version.id} name={text.earlier} version={version} onGo={onGo} />
        ))}
        {later.map((version) => (
          <Version key={version.id} name={text.later} version={version} onGo={onGo} />
        ))}
      </ol>
    </Section>
  );
}

interface VersionProps {
  name: string;
  version: MemoryVersion;
  onGo: (id: string) => void;
}

function Version({ name, version, onGo }: VersionProps): ReactNode {
  return (
    <li className="border-l-2 border-edge pl-3">
      <p className="text-base text-ink-soft">
        {name} · <When at={version.at} />
      </p>
      <LinkButton
        onClick={() => {
          onGo(version.id);
        }}
      >
        <span className="line-clamp-3">{version.text}</span>
      </LinkButton>
    </li>
  );
}

export function Recalls({ memory }: { memory: MemoryShown }): ReactNode {
  return (
    <Section heading={text.recalls}>
      {memory.recalls.length === 0 && <p className="text-ink-soft">{text.noRecalls}</p>}
      <ul className="flex flex-col gap-2">
        {memory.recalls.map((recall, place) => (
          <li key={place} className="border-l-2 border-edge pl-3">
            <span className="text-ink-soft">{formatMoment(recall.at)}</span> {text.recalledFor(recall.query)}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Section({ heading, children }: { heading: string; children: ReactNode }): ReactNode {
  return (
    <section className="mt-7">
      <h3 className="mb-2 text-lg">{heading}</h3>
      {children}
    </section>
  );
}
