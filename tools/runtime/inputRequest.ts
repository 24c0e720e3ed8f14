import type { JsonSchema } from "../tool.js";

/** What the other side of a call wants to know from a person before it goes on. */
export interface InputRequest {
  /** Names the question; the answer names it too, so that none is taken for that of another question. */
  id: string;
  /** Name of the source that asks. */
  source: string;
  /** Id of the tool whose call waits. */
  tool: string;
  callId: string;
  message: string;
  /** What the answer has to be: an object of plain values. */
  schema?: JsonSchema;
  /** Where the person is to do something, instead of an answer. */
  url?: string;
}

/** A person's answer to an {@link InputRequest}. */
export interface InputAnswer {
  id: string;
  /** `cancel`: the person has not decided. */
  action: "accept" | "decline" | "cancel";
  content?: Record<string, string | number | boolean | string[]>;
}
