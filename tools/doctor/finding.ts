/** How serious findings can be, the worst first. */
export const SEVERITIES = ["error", "warning", "note"] as const;

/** `error`: harmful, or makes a tool useless · `warning`: costs hits, calls or tokens · `note`: could be better. */
export type Severity = (typeof SEVERITIES)[number];

/** What the tools of a library are examined for, in the order in which equally serious findings are shown. */
export const CHECKS = [
  "hidden",
  "orders",
  "missed",
  "unfound",
  "twins",
  "descriptions",
  "parameters",
  "givers",
  "cost",
  "names",
] as const;

export type Check = (typeof CHECKS)[number];

/** Something in a library that makes a model or a search stumble. */
export interface Finding {
  check: Check;
  severity: Severity;
  /** Ids of the tools that it is about. */
  tools: readonly string[];
  /** What is wrong, with figures. */
  problem: string;
  /** What to change. */
  change: string;
  /** What fixing it would gain; only if requests were given and it concerns their search. */
  requests?: RequestGain;
}

/** What requests with known tools show about a finding. */
export interface RequestGain {
  /** Requests that need one of its tools. */
  needed: number;
  /** How many of these miss one of those tools among the first ten. */
  missed: number;
  /** How much Recall@10 over all requests would rise if none did. */
  recall: number;
}

/** Sorts findings: the worst first, equally serious ones by how many requests miss their tools. */
export function worstFirst(findings: readonly Finding[]): Finding[] {
  const missed = ({ requests }: Finding) => requests?.missed ?? 0;
  return findings.toSorted(
    (one, other) =>
      SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
      CHECKS.indexOf(one.check) - CHECKS.indexOf(other.check) ||
      missed(other) - missed(one),
  );
}

/** "a, b, c and 4 more" */
export function listed(names: readonly string[], most = 3): string {
  const more = names.length - most;
  const shown = names.slice(0, most).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}
