/** Provider, database, project, data folder and version, as a list of names and values. */

import type { ReactNode } from "react";

import { strings } from "../strings";
import { Marked } from "../ui/marked";
import type { Setup } from "../wire/generated";

export function Facts({ setup }: { setup: Setup }): ReactNode {
  const { provider, database } = setup;
  const text = strings.setup;
  return (
    <dl className="divide-y divide-rule border-y border-rule">
      <Fact name={text.provider} detail={provider.message}>
        {provider.name} · {provider.ready ? text.providerReady : text.providerNotReady}
      </Fact>
      <Fact name={text.database} detail={database.location}>
        {text.databaseEngines[database.engine]} · {text.databaseSchema(database.schema)}
      </Fact>
      <Fact name={text.project}>{setup.project ?? text.projectNone}</Fact>
      <Fact name={text.dataDir}>{setup.dataDir}</Fact>
      <Fact name={text.passcode}>{setup.passcode ? text.passcodeOn : text.passcodeOff}</Fact>
      <Fact name={text.version}>{setup.version}</Fact>
    </dl>
  );
}

interface FactProps {
  name: string;
  detail?: string;
  children: ReactNode;
}

function Fact({ name, detail, children }: FactProps): ReactNode {
  return (
    <div className="grid gap-x-4 py-2.5 sm:grid-cols-[8rem_1fr]">
      <dt className="text-ink-soft">{name}</dt>
      <dd>
        <span className="font-semibold">{children}</span>
        {detail !== undefined && detail !== "" && <Marked className="block text-ink-soft" text={detail} />}
      </dd>
    </div>
  );
}
