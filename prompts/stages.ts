import type { BaseMessage } from "@langchain/core/messages";
import type { JsonSchema } from "../tools/tool.js";

/** How `decompose` asks for subtasks; one per published way (Tulip Agent). */
export type DecomposeStyle = "plain" | "informed" | "primed" | "oneShot";

/** A turn of the conversation before the current request, as text. */
export interface EarlierTurn {
  role: "user" | "assistant";
  text: string;
}

/** What every stage knows. */
interface Situation {
  /** The user's request, whole. */
  request: string;
  /** Facts about the situation, such as the date. */
  background?: string;
  earlierTurns: EarlierTurn[];
}

/** What `decompose` knows when it asks a model for subtasks. */
export interface DecomposeInput extends Situation {
  style: DecomposeStyle;
  /** What to split: the request itself, or a subtask for which no tool was found. */
  task: string;
  /** 0 for the request; n + 1 for a subtask that was missed at depth n. */
  depth: number;
  /** Style `informed`: what the tool library is about. */
  libraryDescription?: string;
  /** Style `primed`: names of tools that may help. */
  toolNames?: string[];
}

/** What `phraseSearch` knows when it asks a model for search phrases. */
export interface PhraseSearchInput extends Situation {
  /** The subtasks to find tools for, numbered from 1 in this order. */
  subtasks: string[];
  /** Phrases that found nothing, where these subtasks were searched for before. */
  tried: string[];
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

/** What `act` knows when it asks a model for the next calls or the answer. */
export interface ActInput extends Situation {
  /** The subtasks to follow, in order; empty in graphs that do not decompose. */
  steps: string[];
  /** Subtasks, or in graphs that do not decompose search phrases, for which no tool was found. */
  missed: string[];
  /** Library tools on offer, without control tools; empty in `base`. */
  tools: OfferedTool[];
  /** Calls of this run so far, oldest first. */
  observations: Observation[];
}

/** The stages at which a model is asked, with what each one knows. */
export interface StageInputs {
  decompose: DecomposeInput;
  phraseSearch: PhraseSearchInput;
  act: ActInput;
}

export type Stage = keyof StageInputs;

/**
 * One question to a model. Prompt functions return it; the model wrapper sends `messages` and passes
 * `stage` and `input` along as call options, so that the offline planner never parses prompt text.
 */
export interface Prompt<S extends Stage = Stage> {
  stage: S;
  input: StageInputs[S];
  messages: BaseMessage[];
  /** JSON Schema of the reply, where a structured reply is wanted. */
  schema?: JsonSchema;
}
