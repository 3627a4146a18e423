/** The texts of the page that says what models cost. */

import { locale, words } from "./locale/words";

const number = (value: number): string => value.toLocaleString(locale());

export const costStrings = words("costs", {
  period: "Period",
  periods: { 7: "7 days", 30: "30 days", 90: "90 days", 365: "A year" },
  export: "Save as CSV",
  file: (first: string, last: string) => `paige-costs-${first}-${last}.csv`,
  loading: "Adding up…",
  failed: "The costs could not be read",
  figures: "The period in numbers",
  total: "Spent",
  perDay: (money: string) => `${money} a day`,
  calls: "Calls",
  failedCalls: (count: number) => (count === 0 ? "all answered" : `${number(count)} failed`),
  tokens: "Tokens",
  tokensNote: (read: string, written: string) => `${read} read, ${written} written`,
  unpriced: "Without a price",
  unpricedNote: (count: number) => (count === 0 ? "every price is known" : "not in the sums"),
  unpricedHint: (models: string) =>
    `The price of some calls is not known (${models}). They are counted, but they are in no sum: the real cost is higher.`,

  days: {
    heading: "Day by day",
    name: "Cost by day and model",
    summary: (money: string, day: string) => `The most was ${money} on ${day}.`,
    none: "Nothing was spent in this period.",
    point: (day: string, money: string, parts: string) => (parts === "" ? `${day}: ${money}` : `${day}: ${money} (${parts})`),
    part: (name: string, money: string) => `${name} ${money}`,
    day: "Day",
    total: "Together",
    others: "Other models",
  },
  doors: { heading: "By door", name: "Cost by door", column: "Door" },
  models: { heading: "By model", name: "Cost by model", column: "Model" },
  purposes: { heading: "By what was asked for", name: "Cost by purpose", column: "Purpose" },
  columns: { cost: "Cost", share: "Share", calls: "Calls", failed: "Failed", unpriced: "Without a price", tokens: "Tokens read", written: "Written" },

  empty: {
    title: "No model has been asked yet.",
    lead: "As soon as a model answers, what it costs is added up here. Local rules answer without any model, and cost nothing.",
    steps: [
      { title: "Name a provider", command: "paige doctor", text: "says which one is set up, and what it needs." },
      { title: "Ask for something", command: "paige plan list", text: "names what can be asked; or open any of the four doors." },
      { title: "Read it in a terminal", command: "paige trace list", text: "lists runs with what each of them cost." },
    ],
  },
  nothing: "No model was asked in this period.",
  nothingHint: "Choose a longer one.",
});
