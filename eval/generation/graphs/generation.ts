import type { Condition } from "../../../graphs/wire.js";
import { GenerationInput, GenerationOutput, GenerationState } from "../generationState.js";

/** What graphs that write requests with plans hold, take and give. */
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

/** The draw has a plan whose values are known; one that was dropped has none. */
export const planned: DrawCondition = ({ plan }) => plan !== null;

/** The draw has a request; one that was dropped has none. */
export const requested: DrawCondition = ({ run }) => run.request !== "";
