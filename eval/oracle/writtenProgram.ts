import { codeNames } from "../../plans/codeNames.js";
import { programText } from "../../plans/codeText.js";
import type { WriteProgramInput } from "../../nodes/programs/programQuestion.js";
import type { GoldPlan } from "./goldTask.js";
import { shownPlan } from "./shownPlan.js";
import { NOT_ON_OFFER } from "./toolWords.js";

/**
 * The gold plan as a program over the declared functions. It names what it needs and lacks; after a vain search for
 * that, it does the rest alone.
 *
 * @param gold.program the gold program of a task that no list of calls can express; it is written once all of its
 * functions are declared
 */
export function writtenProgram(
  { program, ...gold }: GoldPlan & { program?: string },
  { tools, missed }: Pick<WriteProgramInput, "tools" | "missed">,
): string {
  const names = codeNames(tools.map(({ name }) => name));
  const plan = shownPlan(gold, tools);
  const lacking = plan.lacking.filter((phrase) => !missed.includes(phrase));
  if (program !== undefined && plan.lacking.length === 0) return fenced(program);
  const code = programText(plan, { nameOf: (tool) => names.get(tool) ?? tool, lacking });
  const nothing = `throw new Error(${JSON.stringify(NOT_ON_OFFER)});`;
  return fenced(code || nothing);
}

function fenced(code: string): string {
  return ["```ts", code, "```"].join("\n");
}
