import type { RunBasics } from "./stageInputs.js";
import type { Context } from "../../state/context.js";
import { earlierTurns } from "../../state/conversation.js";
import type { GraphState } from "../../state/state.js";
import { backgroundOf } from "./background.js";

/** What every question to a model says about the run. */
export function runBasics({ state, context }: { state: GraphState; context: Context }): RunBasics {
  return {
    request: state.run.request,
    background: backgroundOf(context),
    earlierTurns: earlierTurns(state),
  };
}
