import type { Embeddings } from "@langchain/core/embeddings";

/** A call that a demonstration shows. */
export interface DemonstrationCall {
  /** Id of the tool. */
  tool: string;
  args: Record<string, unknown>;
  /** What came of it, as JSON data; absent where it is not known. */
  result?: unknown;
}

/**
 * A task and the calls that do it, to be shown to a model before it does another one (TPTU-v2,
 * arXiv:2311.11315).
 */
export interface Demonstration {
  library: string;
  /** A request or a part of one, in words. */
  task: string;
  /** At least one, in the order in which they are made. */
  calls: DemonstrationCall[];
  answer?: string;
  /**
   * `subtask`: for tasks that are like this one · `tool`: for how its tool is called, where no task is
   * like the one at hand.
   */
  level: "subtask" | "tool";
  source: "file" | "generated" | "run";
  /** Milliseconds since 1970. */
  at: number;
}

/** For what demonstrations are wanted. */
export interface DemonstrationQuestion {
  library: string;
  query: string;
  /** Ids of the tools that there are: a demonstration with any other tool is not used. */
  available: ReadonlySet<string>;
  /** Ids of the tools that were found for the query, the best one first. */
  retrieved: readonly string[];
  /** Δ: a task counts as alike when its cosine is greater. */
  threshold: number;
  /** k: most demonstrations of the sub-task level. */
  count: number;
  /** Name of the embedding model, "provider:name", and the model. */
  embeddings: { name: string; model: Embeddings };
}

/** Demonstrations, in `memory.db`. */
export interface DemonstrationStore {
  /**
   * Adds demonstrations in one transaction; says how many were new. One with the library, task, calls
   * and level of another is known, whatever its results, answer, source and time.
   */
  add(demonstrations: readonly Demonstration[]): { added: number; known: number };
  /** All demonstrations of a library, or of all, oldest first. */
  list(options?: { library?: string }): Demonstration[];
  /** The names of the libraries with demonstrations, sorted. */
  libraries(): string[];
  /**
   * The demonstrations to show for a query (TPTU-v2): of the sub-task level the `count` most similar
   * of those whose cosine is greater than `threshold`; where there are none, of the tool level at most
   * one for each retrieved tool, the most similar, in the order of the tools. Equally similar ones come
   * oldest first. Tasks that have no vector of this embedding model are embedded first; cosines are
   * those of vectors with one byte a component, some thousandths off.
   */
  select(question: DemonstrationQuestion): Promise<Demonstration[]>;
}
