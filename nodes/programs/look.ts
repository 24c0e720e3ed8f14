import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { lookPrompt } from "./lookPrompt.js";
import { readContext } from "../../state/context.js";
import type { GraphState, StateUpdate } from "../../state/state.js";
import { askModel } from "../shared/askModel.js";
import { followProgram } from "./followProgram.js";
import { leaveProgram } from "./leaveProgram.js";
import { problemAt, repairOrEnd } from "../shared/repair.js";
import { situation } from "../shared/situation.js";

/**
 * Asks the model what a program wants to know of a value, where no rule decides but judgement does. The program
 * goes on with the answer, as a text.
 */
export async function look(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<StateUpdate> {
  const { program } = state;
  if (!program) return {};
  const context = readContext(config);
  const followed = await followProgram({ state, program, context });
  if ("problem" in followed) return leaveProgram(program, followed.problem);
  const { look: wanted } = followed.progress;
  if (!wanted) return { program: { ...program, next: "run" } };
  const { place, value, question } = wanted;
  const input = { ...situation({ state, context }), value, question };
  const prompt = lookPrompt(input, problemAt(state, "look"));
  const asked = await askModel(state, { prompt, context, config });
  if ("end" in asked) return asked.end;
  const { reply, usage } = asked;
  const said = reply.text.trim();
  if (!said) {
    const problem = "Your last reply was empty. Reply with the answer alone.";
    const instead = leaveProgram(program, "the model has not said what it was asked of a value");
    return repairOrEnd({ state, stage: "look", problem, usage, instead });
  }
  const looks = { ...program.looks, [place]: said };
  return { program: { ...program, looks, next: "run" }, repair: null, usage };
}
