/** What the address says: which part is shown, which guard is open. */

import { type AddressParts, useAddressParts } from "../../../ui/address-bar";

export const TABS = ["stages", "patterns", "report"] as const;
export type Tab = (typeof TABS)[number];

interface AddressBar {
  tab: Tab;
  id: string | null;
  go: AddressParts<"tab" | "id">["go"];
}

export function useAddress(): AddressBar {
  const { found, go } = useAddressParts();
  return { tab: TABS.find((tab) => tab === found.get("tab")) ?? "stages", id: found.get("id"), go };
}
