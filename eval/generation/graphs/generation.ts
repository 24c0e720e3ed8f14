import type { Condition } from "../../../graphs/wire.js";
import { GenerationInput, GenerationOutput, GenerationState } from "../generationState.js";

/** State, input and output of graphs that write requests with plans. */
export const GENERATION = {
  state: GenerationState,
  input: GenerationInput,
  output: GenerationOutput,
};

type DrawCondition = Condition<GenerationState>;

/** The draw has a chain of tools. */
export const chained: DrawCondition = ({ flow }) => flow.length > 0;

/** The draw has tools for a person. */
export const equipped: DrawCondition = ({ toolIds }) => toolIds.length > 0;

/** The draw has a plan with values; a dropped draw has none. */
export const planned: DrawCondition = ({ plan }) => plan !== null;

/** The draw has a request; a dropped draw has none. */
export const requested: DrawCondition = ({ run }) => run.request !== "";
