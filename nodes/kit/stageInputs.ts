import type { Prompt as ModelPrompt } from "../../models/prompt.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import type { EarlierTurn } from "../../state/history.js";
import type { ActInput } from "../acting/actInput.js";
import type { JudgeInput } from "../acting/judge.js";
import type { WriteToolInput } from "../editing/writeTool.js";
import type { DecomposeInput } from "../finding/decompose.js";
import type { PhraseSearchInput } from "../finding/phraseSearch.js";
import type { ComposeInput } from "../planning/compose.js";
import type { ReflectInput } from "../planning/reflect.js";
import type { ComposeStepsInput } from "../planning/composeSteps.js";
import type { OutlineInput } from "../planning/writeOutline.js";
import type { AggregateInput } from "../policy/askResult.js";
import type { ReflectOnAnswerInput } from "../policy/reflectOnAnswer.js";
import type { LookInput } from "../programs/look.js";
import type { WriteProgramInput } from "../programs/programQuestion.js";
import type { SummarizeInput } from "../stepSearch/summarize.js";
import type { VoteInput } from "../stepSearch/vote.js";
import type { ParaphraseInput } from "../tasks/paraphrase.js";

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

/** The input of each stage that asks a model, by stage name; stages beside these declare their own (`declare module`). */
export interface StageInputs {
  act: ActInput;
  judge: JudgeInput;
  writeTool: WriteToolInput;
  decompose: DecomposeInput;
  phraseSearch: PhraseSearchInput;
  compose: ComposeInput;
  composeSteps: ComposeStepsInput;
  reflect: ReflectInput;
  outline: OutlineInput;
  aggregate: AggregateInput;
  reflectOnAnswer: ReflectOnAnswerInput;
  look: LookInput;
  writeProgram: WriteProgramInput;
  summarize: SummarizeInput;
  vote: VoteInput;
  paraphrase: ParaphraseInput;
}

export type Stage = keyof StageInputs;

export type Prompt<S extends Stage = Stage> = ModelPrompt<S, StageInputs[S]>;
