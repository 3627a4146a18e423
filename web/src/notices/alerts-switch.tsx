/** The switch for notifications of the browser. */

import { type ReactNode, useState } from "react";

import { noticeStrings } from "../strings-notices";
import { Toggle } from "../ui/toggle";
import { type Allowed, allowed, switchOn, useAlerts } from "./alerts";

const text = noticeStrings.alerts;
const HINTS: Record<Allowed, string> = { yes: text.hint, ask: text.hint, no: text.denied, missing: text.missing };

export function AlertsSwitch(): ReactNode {
  const { isOn, setOn } = useAlerts();
  const [may, setMay] = useState<Allowed>(allowed);
  return (
    <Toggle
      label={text.label}
      hint={HINTS[may]}
      isOn={isOn && may === "yes"}
      disabled={may === "missing" || may === "no"}
      onToggle={(wanted) => {
        if (wanted) void switchOn().then(setMay);
        else setOn(false);
      }}
    />
  );
}
