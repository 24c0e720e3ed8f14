import type { Prompt as ModelPrompt } from "../../models/prompt.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import type { EarlierTurn } from "../../state/history.js";

/** What every stage knows. */
export interface RunBasics {
  request: string;
  /** Facts about the situation, such as the date. */
  background?: string;
  earlierTurns: EarlierTurn[];
}

/** A tool as shown to a model; `name` is the wire name. */
export interface OfferedTool {
  name: string;
  description: string;
  parameters: JsonSchema;
  returns?: JsonSchema;
  /** What it has returned, if it declares no result: nothing is refused for it. */
  seen?: { type: JsonSchema; times: number };
}

/** A call made in this run and its outcome: exactly one of `result` and `error` is set. */
export interface Observation {
  tool: string;
  args: Record<string, unknown>;
  result?: unknown;
  error?: string;
}

export interface ToldBudget {
  left: number;
  unit: "units" | "usd";
  /** Price per call of each tool on offer, by wire name, in the same unit. */
  prices: Record<string, number>;
}

/** Tools no longer on offer, by wire name. */
export interface WithheldTools {
  /** The remaining budget does not cover a call of them. */
  forbidden: string[];
  /** The budget grants them no further call, however much is left. */
  ungranted?: string[];
  /** They were called and never helped. */
  useless: string[];
}

export interface ShownDemonstration {
  task: string;
  /** `name` is the wire name of the tool. */
  calls: { name: string; args: Record<string, unknown>; result?: unknown }[];
  answer?: string;
}

/**
 * The input of each stage that asks a model, by stage name. Each stage adds its own in its module (`declare
 * module`), so that tests and stand-in models can tell stages apart.
 */
export interface StageInputs {}

export type Stage = keyof StageInputs;

export type Prompt<S extends Stage = Stage> = ModelPrompt<S, StageInputs[S]>;
