import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";

/** A question that the other side of a call asks a person before it continues. */
export interface InputRequest {
  /** Identifies the question; the answer repeats it. */
  id: string;
  /** Name of the source that asks. */
  source: string;
  /** Id of the tool whose call waits. */
  tool: string;
  callId: string;
  message: string;
  /** The form of the answer: an object of plain values. */
  schema?: JsonSchema;
  /** A page where the person is to do something, instead of giving an answer. */
  url?: string;
}

/** A person's answer to an {@link InputRequest}. */
export interface InputAnswer {
  id: string;
  /** `cancel`: the person has not decided. */
  action: "accept" | "decline" | "cancel";
  content?: Record<string, string | number | boolean | string[]>;
}
