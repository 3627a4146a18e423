/** Money as the pages about accounts write it. */

import { locale } from "../../locale/words";

const DOLLARS = new Intl.NumberFormat(locale(), { style: "currency", currency: "USD" });

export function dollars(usd: number): string {
  return DOLLARS.format(usd);
}
