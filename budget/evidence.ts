/**
 * What past requests say about one tool: each row is one past request in which the tool was called.
 */
export interface ToolEvidence {
  tool: string;
  rows: readonly EvidenceRow[];
}

export interface EvidenceRow {
  /** Names the past request; the same number stands for the same request in the evidence of all tools. */
  query: number;
  /** Cosine of the past request and the present one, −1 to 1. */
  similarity: number;
  /** Calls of the tool in that request that were judged. */
  calls: number;
  /** Those that were helpful. */
  helpful: number;
}

/** The temperature of the published weights, exp(cos − 1): past requests weigh between 0.14 and 1. */
export const PUBLISHED_TEMPERATURE = 1;

/**
 * Evidence whose weights become exp((similarity − 1) / T): the lower the temperature, the more do past
 * requests that are like the present one outweigh the others. Published weights hardly tell a request
 * on the same matter from any other.
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
