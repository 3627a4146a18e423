/** Which rules somebody wants to see. */

import type { GuardFamily, GuardRule } from "../../../wire/generated";

export interface RuleWish {
  words: string;
  decision: GuardRule["decision"] | null;
  onlyHit: boolean;
}

export const NOTHING: RuleWish = { words: "", decision: null, onlyHit: false };

/** The families with the rules that fit; a family whose own name or program fits keeps all of them. */
export function narrowed(families: readonly GuardFamily[], wish: RuleWish): GuardFamily[] {
  const words = wish.words.toLowerCase().split(/\s+/).filter(Boolean);
  return families.flatMap((family) => {
    const about = `${family.name} ${family.commands.join(" ")} ${family.about}`.toLowerCase();
    const rules = family.rules.filter(
      (rule) =>
        (wish.decision === null || rule.decision === wish.decision) &&
        (!wish.onlyHit || rule.hits.count > 0) &&
        words.every((word) => about.includes(word) || textOf(rule).includes(word)),
    );
    return rules.length === 0 ? [] : [{ ...family, rules }];
  });
}

/** Families that stand in one file belong together. */
export interface RuleFile {
  name: string;
  path: string;
  layer: GuardFamily["layer"];
  families: GuardFamily[];
  rules: number;
  count: number;
}

export function byFile(families: readonly GuardFamily[]): RuleFile[] {
  const files = new Map<string, RuleFile>();
  for (const family of families) {
    const { path, layer } = family;
    const file = files.get(path) ?? { name: nameOf(path), path, layer, families: [], rules: 0, count: 0 };
    file.families.push(family);
    file.rules += family.rules.length;
    file.count += family.rules.reduce((sum, { hits }) => sum + hits.count, 0);
    files.set(path, file);
  }
  return [...files.values()];
}

function nameOf(path: string): string {
  return path.replace(/^.*[\\/]/, "").replace(/\.toml$/, "");
}

function textOf({ name, loses, instead, must }: GuardRule): string {
  return `${name} ${loses} ${instead} ${must.join(" ")}`.toLowerCase();
}
