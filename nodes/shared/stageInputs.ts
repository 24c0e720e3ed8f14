import type { Prompt as ModelPrompt } from "../../models/prompt.js";
import type { JsonSchema } from "../../tools/tool.js";

/** A turn of the conversation before the current request, as text. */
export interface EarlierTurn {
  role: "user" | "assistant";
  text: string;
}

/** What every stage knows. */
export interface RunBasics {
  /** The user's request, whole. */
  request: string;
  /** Facts about the situation, such as the date. */
  background?: string;
  earlierTurns: EarlierTurn[];
}

/** A task of a tree that is done, and its result. */
export interface TaskResult {
  task: string;
  result: string;
}

/** A tool as it is shown to a model: `name` is the wire name. */
export interface OfferedTool {
  name: string;
  description: string;
  parameters: JsonSchema;
  returns?: JsonSchema;
}

/** A call that was made in this run, and what came of it. Exactly one of `result` and `error` is set. */
export interface Observation {
  tool: string;
  args: Record<string, unknown>;
  result?: unknown;
  error?: string;
}

/** What a model is told of a budget. */
export interface ToldBudget {
  /** What is left, in units or dollars. */
  left: number;
  unit: "units" | "usd";
  /** Prices of a call of each tool on offer, by wire name, in the same unit. */
  prices: Record<string, number>;
}

/** Tools that are not on offer any more, by wire name. */
export interface WithheldTools {
  /** What is left of the budget does not pay a call of them. */
  forbidden: string[];
  /** The plan for the budget grants them no further call, whatever is left. */
  ungranted?: string[];
  /** They were called and never helped. */
  useless: string[];
}

/** An earlier try at the same point of a search over steps. */
export interface Attempt {
  calls: { name: string; args: Record<string, unknown>; observation: string }[];
  /** What was said beside the calls. */
  text: string;
}

/** A task that was done before, as it is shown to a model. */
export interface ShownDemonstration {
  task: string;
  /** `name` is the wire name of the tool. */
  calls: { name: string; args: Record<string, unknown>; result?: unknown }[];
  answer?: string;
}

/**
 * What is known at each stage that asks a model, by its name. A stage adds its own in its module
 * (`declare module`), for tests and stand-in models that tell stages apart.
 */
export interface StageInputs {}

export type Stage = keyof StageInputs;

/** One question to a model, of a stage. */
export type Prompt<S extends Stage = Stage> = ModelPrompt<S, StageInputs[S]>;
