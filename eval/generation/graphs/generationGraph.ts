import { END, StateGraph } from "@langchain/langgraph";
import { contextForm } from "../../../state/context.js";
import { GenerationInput, GenerationOutput, GenerationState } from "../state.js";

/** An empty graph with the channels, input, output and settings of graphs that write requests with plans. */
export function generationGraph() {
  return new StateGraph({
    state: GenerationState,
    input: GenerationInput,
    output: GenerationOutput,
    context: contextForm,
  });
}

/** Leads to the end when the run has ended, and else to where the router leads. */
export function unlessOver<Next extends string>(router: (state: GenerationState) => Next) {
  return function routeUnlessOver(state: GenerationState): Next | typeof END {
    return state.status === "running" ? router(state) : END;
  };
}
