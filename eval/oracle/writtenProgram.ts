import { codeNames } from "../../plans/codeNames.js";
import { programText } from "../../plans/codeText.js";
import type { OfferedTool } from "../../prompts/stages.js";
import type { GoldPlan } from "./goldTask.js";
import { shownPlan } from "./shownPlan.js";

/**
 * The gold plan as a program over the functions that are declared: what none of them does is said to be needed.
 */
export function writtenProgram(gold: GoldPlan, shown: readonly OfferedTool[]): string {
  const names = codeNames(shown.map(({ name }) => name));
  const code = programText(shownPlan(gold, shown), {
    nameOf: (tool) => names.get(tool) ?? tool,
  });
  return ["```ts", code, "```"].join("\n");
}
