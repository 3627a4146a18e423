/** Whether answers are taken. */

import { BookCheck, Lock, LockOpen } from "lucide-react";
import type { ReactNode } from "react";

import { handoutStrings } from "../../../strings-handouts";
import { Badge } from "../../../ui/badge";
import type { HandoutItem } from "../../../wire/generated";

const text = handoutStrings.state;

export function State({ item }: { item: HandoutItem }): ReactNode {
  if (item.kept) {
    return (
      <Badge tone="door" icon={BookCheck}>
        {text.kept}
      </Badge>
    );
  }
  return (
    <Badge tone={item.open ? "ok" : "soft"} icon={item.open ? LockOpen : Lock}>
      {item.open ? text.open : text.closed}
    </Badge>
  );
}
