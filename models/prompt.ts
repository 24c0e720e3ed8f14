import type { BaseMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { JsonSchema } from "../common/schemas/jsonSchema.js";
import type { Settings } from "../state/settings.js";
import type { Usage } from "../state/state.js";
import type { ControlTool } from "../tools/control.js";
import type { Offered } from "./offering/offeredTools.js";

/** Key in a call's metadata for the model, "provider:name", for whoever follows the run. */
export const MODEL_KEY = "tulipgraph_model";

/**
 * One question to a model. The model wrapper sends `messages`; rule-based models get `stage`, `input` and
 * `byRules` instead, so that none of them parses a prompt.
 */
export interface Prompt<Stage extends string = string, Input extends object = object> {
  /** Which question it is; also its name in traces. */
  stage: Stage;
  input: Input;
  messages: BaseMessage[];
  schema?: JsonSchema;
  /** The messages with less of the conversation, in as many tokens at most as far as possible; and how many were shortened. */
  within?: (tokens: number) => Promise<{ messages: BaseMessage[]; shortened: number }>;
  /** Pictures that results name, for a model that sees. */
  pictures?: () => Promise<{ name: string; data: Buffer }[]>;
  /** What the offline planner replies; absent if rules have no reply. */
  byRules?: () => Promise<Reply>;
  /** Never asked again: a reply that is too long is cut, and an unfinished one is empty. */
  once?: boolean;
}

/** A call by the offline planner, which adds ids itself. */
export interface PlannedCall {
  name: string;
  args: Record<string, unknown>;
}

/** A reply of the offline planner: text, calls, or a refusal, which is also the text. */
export type Reply = { text: string; refusal?: true } | { calls: PlannedCall[] };

/** A tool as sent to a model: a legal name, a description and a JSON Schema. */
export type BoundTool = Pick<ControlTool, "name" | "description" | "parameters">;

/** A question to a model, with the run's settings and what the run has used so far. */
export interface ModelRequest {
  prompt: Prompt;
  settings: Settings;
  usage: Usage;
  /** What is left of a budget in dollars; absent without one. */
  dollarsLeft?: number;
  /** The node's own config, so that streams and traces see the call. */
  config: RunnableConfig;
  tools?: BoundTool[];
  /** How found tools reach the model besides these; the messages of the prompt are so already. */
  found?: Offered;
  /** "any": the model must call some tool; a name: it must call this one. */
  toolChoice?: string;
}
