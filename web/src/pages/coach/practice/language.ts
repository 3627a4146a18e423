/** The language of a piece of code, by its looks: a kata does not say it. */

export function guessLanguage(code: string): string {
  if (/^\s*(package \w+|func \w+\()/m.test(code)) return "go";
  if (/^\s*(fn \w+|use \w+::|impl\b)/m.test(code)) return "rust";
  if (/^\s*(const|let|function|interface|type|export|import .+ from)\b/m.test(code)) return "typescript";
  return "python";
}
