import type { BaseMessage } from "@langchain/core/messages";
import type { JsonSchema } from "../tools/tool.js";
import type { Reply } from "./offline/message.js";

/**
 * One question to a model. The model wrapper sends `messages`; models that follow no words are given
 * `stage`, `input` and `byRules` instead, so that none of them ever reads a prompt.
 */
export interface Prompt<Stage extends string = string, Input extends object = object> {
  /** Which question it is; also its name in traces. */
  stage: Stage;
  /** What the question is about, as data. */
  input: Input;
  messages: BaseMessage[];
  /** JSON Schema of the reply, where a structured reply is wanted. */
  schema?: JsonSchema;
  /** What the offline planner replies; absent where rules know nothing to say. */
  byRules?: () => Promise<Reply>;
  /** The reply takes thought: the setting `reasoningModel`, where there is one, is asked. */
  thinks?: boolean;
  /** The reply is taken as it is: one that is too long is cut and not asked for again. */
  once?: boolean;
}
