/** What Paige keeps on this machine, the sample, the tour and the language. */

import { useQuery } from "@tanstack/react-query";
import { Footprints } from "lucide-react";
import type { ReactNode } from "react";

import { SETTINGS_KEY } from "../../../api/settings-hooks";
import { LanguageChoice } from "../../../locale/language-choice";
import { useServices } from "../../../services";
import { settingsDataStrings } from "../../../strings-settings-data";
import { useTour } from "../../../tour/tour-store";
import { Answered } from "../../../ui/answered";
import { Button } from "../../../ui/button";
import { type Column, DataTable } from "../../../ui/data-table";
import { Section } from "../../../ui/section";
import { SkeletonRows } from "../../../ui/skeleton";
import type { KeptFile } from "../../../wire/generated";
import { SettingsFrame } from "../settings-frame";
import { SamplePart } from "./sample-part";

const text = settingsDataStrings;

export default function DataPage(): ReactNode {
  return (
    <SettingsFrame>
      {(seen) => (
        <>
          <Kept />
          <SamplePart seen={seen} />
          <Look />
        </>
      )}
    </SettingsFrame>
  );
}

function Kept(): ReactNode {
  const { api } = useServices();
  const data = useQuery({ queryKey: [...SETTINGS_KEY, "data"], queryFn: () => api.settings.data() });
  return (
    <Section heading={text.data.heading} lead={text.data.lead} className="">
      <Answered query={data} words={text.data} skeleton={<SkeletonRows />}>
        {({ kept, free }) => (
          <>
            <DataTable caption={text.data.heading} columns={COLUMNS} rows={kept} rowKey={({ what }) => what} narrow="stack" />
            <p className="mt-2 text-base text-ink-soft">{text.data.free(text.data.bytes(free))}</p>
          </>
        )}
      </Answered>
    </Section>
  );
}

const COLUMNS: Column<KeptFile>[] = [
  { key: "what", name: text.data.columns.what, cell: ({ what }) => <span className="font-semibold">{text.data.names[what]}</span> },
  {
    key: "place",
    name: text.data.columns.place,
    cell: ({ path }) => <code className="text-[0.9em] [overflow-wrap:anywhere]">{path}</code>,
  },
  { key: "size", name: text.data.columns.size, align: "end", cell: sizeOf },
];

function sizeOf({ what, there, files, size, counted }: KeptFile): string {
  if (!there) return text.data.none;
  if (what === "project") return text.data.elsewhere;
  const bytes = text.data.bytes(size);
  const whole = counted ? bytes : text.data.more(bytes);
  return files > 1 && what !== "database" ? `${whole} · ${text.data.files(files)}` : whole;
}

function Look(): ReactNode {
  const start = useTour((tour) => tour.start);
  return (
    <Section heading={text.look.heading} className="">
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <div>
          <Button look="quiet" onClick={start}>
            <Footprints aria-hidden className="size-4.5" />
            {text.look.tour}
          </Button>
          <p className="mt-1 text-base text-ink-soft">{text.look.tourAbout}</p>
        </div>
        <LanguageChoice />
      </div>
    </Section>
  );
}
