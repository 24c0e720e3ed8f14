/** How serious findings can be, the worst first. */
export const SEVERITIES = ["error", "warning", "note"] as const;

/** `error`: harmful, or makes a tool useless · `warning`: costs hits, calls or tokens · `note`: could be better. */
export type Severity = (typeof SEVERITIES)[number];

/** What the tools of a library are examined for, in the order in which equally serious findings are shown. */
export const CHECKS = [
  "hidden",
  "orders",
  "effects",
  "unfound",
  "twins",
  "silent",
  "refused",
  "descriptions",
  "parameters",
  "drift",
  "cost",
  "names",
] as const;

export type Check = (typeof CHECKS)[number];

/** Something in a library that makes a model or a search stumble. */
export interface Finding {
  check: Check;
  severity: Severity;
  tools: readonly string[];
  problem: string;
  change: string;
}

export function worstFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted(
    (one, other) =>
      SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
      CHECKS.indexOf(one.check) - CHECKS.indexOf(other.check),
  );
}
