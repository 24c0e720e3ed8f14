import type { ParametersSchema } from "../../../tools/tool.js";

/** A tool as the repository shows it to a model. */
export interface InterfaceOfTool {
  name: string;
  description: string;
  parameters: ParametersSchema;
}

/** The calls that an agent has made for a query. */
export interface Conversation {
  id: string;
  calls: { tool: string; args: Record<string, unknown> }[];
}

/** What an agent is shown after the calls of a conversation (`play.py`). */
export interface Played {
  task: string;
  TimeInfo: string;
  location_preference: string | null;
  preferences: Record<string, string>;
  /** Since the last call; before the first, the whole prompt. */
  messages: { role: string; content: string }[];
  /** Those that are new or changed since the last call. */
  tools: InterfaceOfTool[];
  gone: string[];
  /** The cheapest chain before any event. */
  path: string[];
  /** Its digits are those of the right answer, after all events so far. */
  target: string;
  scores: PathScores;
}

/** The repository's own scores of a conversation; null where it gives none. */
export interface PathScores {
  /** It counts: the event took place, and the cheapest chain is known. */
  valid: boolean;
  /** The goal was reached. */
  reached: boolean;
  exact: boolean | null;
  edits: number | null;
  normalized: number | null;
  cost: number | null;
  /** Cost of the cheapest chain. */
  least: number | null;
  /** Cost of a chain that takes the cheapest tool for each of its parts. */
  greedy: number | null;
}

/** Name of the world that answers calls. */
export const COSTBENCH_WORLD = "costbench";

/** What a run has come to. */
export type PlayedRun = Pick<Played, "scores" | "target">;
