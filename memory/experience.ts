import type { Embeddings } from "@langchain/core/embeddings";
import type { ToolEvidence } from "../state/budget/evidence.js";
import type { DemonstrationStore } from "./demonstrations/demonstration.js";

/** Who judged whether a call was helpful. */
export type HelpfulnessJudge = "rule" | "model" | "classifier" | "given";

/** A remembered call of a tool. */
export interface PastCall {
  /** Unique; adding a known one changes nothing. */
  id: string;
  library: string;
  /** The request in which the call was made. */
  query: string;
  /** Id of the tool. */
  tool: string;
  args: Record<string, unknown>;
  /** The result as text, cut if long. */
  result: string;
  /** The call failed, and `result` is its error. */
  failed: boolean;
  /** Null if no judge could tell. */
  helpful: boolean | null;
  judgedBy: HelpfulnessJudge;
  /** Units of the budget. */
  cost: number;
  /** Wall time. */
  ms: number;
  /** Milliseconds since 1970. */
  at: number;
}

/** What is known about one tool: how often it helped, and what its calls took on average. */
export interface ToolMeasure {
  tool: string;
  calls: number;
  helpful: number;
  /** Calls with a verdict. */
  judged: number;
  meanMs: number;
  meanResultTokens: number;
  meanCost: number;
}

/** An embedding model with its name, "provider:name". */
export interface NamedEmbeddings {
  name: string;
  model: Embeddings;
}

/** What to look up for an allowance. */
export interface EvidenceQuestion {
  library: string;
  query: string;
  /** Ids of the candidates. */
  tools: readonly string[];
  embeddings: NamedEmbeddings;
}

/** Past calls of tools, in `memory.db` or in Postgres. */
export interface ExperienceStore {
  /** Adds calls in one transaction and says how many were new. */
  add(pastCalls: readonly PastCall[]): Promise<{ added: number; known: number }>;
  /**
   * Evidence for each candidate, in their order; a tool without judged calls has no rows. Past requests without
   * a vector of this embedding model are embedded first.
   */
  evidence(question: EvidenceQuestion): Promise<ToolEvidence[]>;
  /** What is known about these tools; tools without calls are left out. */
  measures(options: { library: string; tools?: readonly string[] }): Promise<ToolMeasure[]>;
  /** The past calls of a library, or of all, oldest first, read lazily. */
  pastCalls(options?: { library?: string }): AsyncIterable<PastCall>;
  /** The names of the libraries with experience, sorted. */
  libraries(): Promise<string[]>;
  /** Totals, for people. */
  stats(options?: { library?: string }): Promise<ExperienceStats>;
  /** Tasks with the calls that do them. */
  demonstrations: DemonstrationStore;
  close(): Promise<void>;
}

/** How much is known of a library, or of all; as `memory list --json` prints it. */
export interface ExperienceStats {
  /** Past calls, under the name of their table. */
  usages: number;
  /** Different requests. */
  queries: number;
  tools: number;
  helpful: number;
  unhelpful: number;
  /** Calls that no judge could decide. */
  unjudged: number;
}
