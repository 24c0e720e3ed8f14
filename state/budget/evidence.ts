/** What past requests say about one tool; each row is a past request that called it. */
export interface ToolEvidence {
  tool: string;
  rows: readonly EvidenceRow[];
}

export interface EvidenceRow {
  /** Number of the past request, the same in the evidence of every tool. */
  query: number;
  /** Cosine between the past request and this one, −1 to 1. */
  similarity: number;
  /** Judged calls of the tool in that request. */
  calls: number;
  /** Those that were helpful. */
  helpful: number;
}

/** The temperature of the published weights, exp(cos − 1): past requests weigh between 0.14 and 1. */
export const PUBLISHED_TEMPERATURE = 1;

/**
 * Evidence whose weights become exp((similarity − 1) / T): the lower the temperature, the more similar requests
 * outweigh the others. The published weights hardly tell a related request from an unrelated one.
 */
export function sharpened(
  evidence: readonly ToolEvidence[],
  temperature: number,
): readonly ToolEvidence[] {
  if (temperature === PUBLISHED_TEMPERATURE) return evidence;
  return evidence.map(({ tool, rows }) => ({
    tool,
    rows: rows.map((row) => ({ ...row, similarity: 1 + (row.similarity - 1) / temperature })),
  }));
}
