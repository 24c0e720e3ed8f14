import type { NamedEmbeddings } from "../experience.js";

/** A call that a demonstration shows. */
export interface DemonstrationCall {
  /** Id of the tool. */
  tool: string;
  args: Record<string, unknown>;
  /** Its result as JSON data; absent if unknown. */
  result?: unknown;
}

/**
 * A task and the calls that do it, to show a model before it does a similar one (TPTU-v2, arXiv:2311.11315).
 */
export interface Demonstration {
  library: string;
  /** A request or part of one, in words. */
  task: string;
  /** At least one, in the order in which they are made. */
  calls: DemonstrationCall[];
  answer?: string;
  /** `subtask`: shown for similar tasks · `tool`: shows how the tool is called, if there is no similar task. */
  level: "subtask" | "tool";
  source: "file" | "generated" | "run";
  /** Milliseconds since 1970. */
  at: number;
}

/** What demonstrations to select. */
export interface DemonstrationQuestion {
  library: string;
  query: string;
  /** Ids of the existing tools; a demonstration with any other tool is not used. */
  available: ReadonlySet<string>;
  /** Ids of the tools found for the query, best first. */
  retrieved: readonly string[];
  /** Δ: a task counts as similar above this cosine. */
  threshold: number;
  /** k: most demonstrations of level `subtask`. */
  count: number;
  embeddings: NamedEmbeddings;
}

/** Demonstrations, in `memory.db` or in Postgres. */
export interface DemonstrationStore {
  /**
   * Adds demonstrations in one transaction and says how many were new. Those with the same library, task, calls
   * and level count as the same; results, answer, source and time do not matter.
   */
  add(demonstrations: readonly Demonstration[]): Promise<{ added: number; known: number }>;
  /** All demonstrations of a library, or of all, oldest first. */
  list(options?: { library?: string }): Promise<Demonstration[]>;
  /** The names of the libraries with demonstrations, sorted. */
  libraries(): Promise<string[]>;
  /**
   * The demonstrations to show for a query (TPTU-v2): the `count` most similar of level `subtask` with a cosine
   * above `threshold`; if there are none, the most similar of level `tool` for each retrieved tool, in the
   * order of the tools. Equally similar ones come oldest first. Tasks without a vector of this embedding model
   * are embedded first.
   */
  select(question: DemonstrationQuestion): Promise<Demonstration[]>;
}
