import type { Situation } from "./stageInputs.js";

/** What `look` knows when it asks a model about a value on which a program waits. */
export interface LookInput extends Situation {
  value: unknown;
  question: string;
}
