/** Asks the model one tiny question with what stands in the form, and says what happened. */

import { useMutation } from "@tanstack/react-query";
import { PlugZap } from "lucide-react";
import type { ReactNode } from "react";

import { useServices } from "../../../services";
import { settingsStrings } from "../../../strings-settings";
import { Button } from "../../../ui/button";
import { FormError } from "../../../ui/form-error";
import { Marked } from "../../../ui/marked";
import { Notice } from "../../../ui/notice";
import type { SettingsChecked } from "../../../wire/generated";
import { checkOf, providerOf } from "./draft";
import type { PartProps } from "./model-page";

const text = settingsStrings.check;
const TONES: Record<SettingsChecked["outcome"], "ok" | "info" | "warn" | "fail"> = {
  works: "ok",
  local: "info",
  no_key: "info",
  rate_limit: "warn",
  no_credit: "warn",
  timeout: "warn",
  wrong_key: "fail",
  no_network: "fail",
  model_unknown: "fail",
  not_a_model: "fail",
  failed: "fail",
};

export function CheckPart({ seen, draft }: PartProps): ReactNode {
  const { api } = useServices();
  const check = useMutation({ mutationFn: () => api.settings.check(checkOf(seen, draft)) });
  if (providerOf(seen, draft) === "local") return null;
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          look="quiet"
          disabled={check.isPending}
          onClick={() => {
            check.mutate();
          }}
        >
          <PlugZap aria-hidden className="size-4.5" />
          {check.isPending ? text.checking : text.button}
        </Button>
        <p className="text-base text-ink-soft">{text.hint}</p>
      </div>
      <div role="status" className="mt-3 empty:hidden">
        {check.data !== undefined && <Outcome checked={check.data} />}
      </div>
      {check.error !== null && <FormError id="check-error" error={check.error} />}
    </div>
  );
}

function Outcome({ checked }: { checked: SettingsChecked }): ReactNode {
  return (
    <Notice tone={TONES[checked.outcome]} title={text.titles[checked.outcome]}>
      <Marked className="block" text={sentence(checked.message)} />
      {checked.hint !== null && <Marked className="block text-ink-soft" text={checked.hint} />}
      {checked.costUsd !== null && <p className="text-base text-ink-soft">{text.cost(checked.costUsd)}</p>}
    </Notice>
  );
}

function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}
