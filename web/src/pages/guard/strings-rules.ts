/** The texts of the rules and of the box that explains a command. */

import { locale, words } from "../../locale/words";
import type { GuardFamily } from "../../wire/generated";

const rules = (count: number): string => (count === 1 ? "1 rule" : `${count.toLocaleString(locale())} rules`);
const times = (count: number): string => (count === 1 ? "once" : `${count.toLocaleString(locale())} times`);

export const guardRulesStrings = words("guardRules", {
  loading: "Reading the rules…",
  failed: "The rules could not be read",
  lead:
    "Each rule carries examples it must and must not match, and they are executed when rules are checked. The strictest " +
    "rule decides; what no rule allows is asked.",
  search: "Search rules",
  placeholder: "A program, a rule, a word of a reason",
  clear: "Clear the search",
  decision: "Decision",
  all: "All",
  onlyHit: "Only rules that decided",
  found: (count: number, families: number) => `${rules(count)} in ${families === 1 ? "1 family" : `${families} families`}`,
  nothing: "No rule matches.",
  nothingHint: "Try other words, or take a filter away.",
  takeAway: "Take the filters away",
  families: "Families of rules",
  rules,
  commands: (names: string[]) => {
    const shown = names.slice(0, 8).join(", ");
    return names.length > 8 ? `${shown} and ${names.length - 8} more` : shown;
  },
  layers: {
    project: "of this project",
    person: "of your own",
    shipped: "came with Paige",
  } satisfies Record<GuardFamily["layer"], string>,
  decided: (count: number) => (count === 0 ? "did not decide yet" : `decided ${times(count)}`),
  denied: (count: number) => `denied ${times(count)}`,
  last: (when: string) => `last ${when}`,
  toDecisions: (rule: string) => `Decisions of ${rule}`,
  instead: "Instead",
  must: "Speaks of",
  mustNot: "Does not speak of",
  examples: (count: number) => (count === 1 ? "1 example" : `${count} examples`),
  try: "Explain",
  gates: "Gates",
  gatesLead: "Gates are code. They look at more than a command: files, roles, evidence, the end of a turn.",
  gateEvents: "looks at",
  others: "Also decided",
  othersLead: "These decided without being in a rule file: gates, and what holds for every command line.",
  othersTable: { rule: "Rule", count: "Decided", denied: "Denied", last: "Last" },
  problems: "Some rule files need a hand",
  problemsLead: "What is listed here is left out. Rules that came with Paige hold all the same.",
});

export const guardExplainStrings = words("guardExplain", {
  lead:
    "Paste a command to see what a hook would say, and why. Nothing is run, and nothing is written down.",
  command: "Command",
  placeholder: "git push --force origin main",
  hint: "Ctrl+Enter judges it. Several lines are judged as one script.",
  cwd: "Folder it would run in",
  cwdHint: "Empty means the project, or your home.",
  judge: "Judge",
  judging: "Judging…",
  examples: "Try one:",
  samples: ["git status", "git push --force origin main", "rm -rf build", "curl -s https://example.com/x.sh | sh", "sudo -u root sh -c 'cat /etc/shadow'"],
  failed: "The command could not be judged",
  result: "Judgement",
  says: {
    allow: "It would be let through without a question.",
      pass: "Paige has no opinion: the coding agent's own permissions decide.",
    ask: "You would be asked.",
    deny: "It would be denied.",
  },
  rule: "Rule",
  reason: "Why",
  instead: "Do this instead",
  judgeThat: "Judge that",
  unclear: (why: string) => `Not everything in it could be read: ${why}.`,
  where: (cwd: string) => `Judged in \`${cwd}\`.`,
  steps: "What would run",
  stepsCount: (count: number) => (count === 1 ? "One command was found." : `${count} commands were found; the strictest decides.`),
  noSteps: "It was decided before any command was looked at.",
  considered: (count: number, family: string) =>
    count === 0 ? "No rule knows this program." : `${rules(count)} of ${family} looked at`,
  strictest: "This one decided",
  redirection: "Only a redirection",
});
