import { clipped } from "../../common/text.js";
import type { TaskResult } from "../../state/taskTree.js";
import { wholeResult, needed, askingStage } from "../kit/stage.js";
import type { GraphState, ProgramState } from "../../state/state.js";
import { askResult } from "../policy/askResult.js";
import { programCalls } from "./followProgram.js";
import { endLines, leaveProgram } from "./programCalls.js";
import { answerUpdate } from "./programAnswer.js";

const SHOWN_RESULT = 20_000;

/**
 * Asks for the answer in words if a program ended without a usable one. The model sees the request and the
 * results, but no tools. If it finds no answer in them, `act` continues.
 */
export function wordAnswer() {
  return askingStage({ lines: endLines }, async (state, config) => {
    const program = needed(state.program, { stage: "wordAnswer", what: "a program" });
    const asked = await askResult({
      state,
      config,
      stage: "wordAnswer",
      task: state.run.request,
      results: resultsOf(program, state),
      instead: leaveProgram(program, "the model did not put the answer into words"),
    });
    if ("update" in asked) return asked.update;
    const { result, solved, isDoubtful, usage } = asked;
    if (!solved || isDoubtful || !result) {
      const reason = "the results of the program do not answer the request";
      return { ...leaveProgram(program, reason), repair: null, usage };
    }
    return { ...answerUpdate(state, program, result), repair: null, usage };
  });
}

function resultsOf(program: ProgramState, state: GraphState): TaskResult[] {
  return [...programCalls(program, state).values()].map((call) => {
    const result = wholeResult(call);
    const text = typeof result === "string" ? result : (JSON.stringify(result) ?? "nothing");
    const task = `${call.tool} ${JSON.stringify(call.args)}`;
    return { task, result: call.error ?? clipped(text, SHOWN_RESULT) };
  });
}
