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
