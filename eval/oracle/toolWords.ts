import type { PlanStep } from "../../plans/plan.js";
import type { ToolDefinition } from "../../tools/tool.js";

/** What the oracle says when it cannot continue. */
export const NOT_ON_OFFER = "A tool that is needed is not on offer.";

/**
 * The oracle's words for a step, as a subtask and as a search phrase, the same in every graph: those of the tool's
 * name and of the given arguments' names. The tool's description is not used, because it is the very text that the
 * search looks for.
 */
export function wordsFor(options: { step: PlanStep; tool: Pick<ToolDefinition, "name"> }): string {
  const { step, tool } = options;
  const given = Object.keys(step.args).map(wordsIn).filter(Boolean);
  const name = wordsIn(tool.name);
  return given.length > 0 ? `${name}: ${given.join(", ")}` : name;
}

/** The words of a name alone, for a second search. */
export function nameWords({ name }: Pick<ToolDefinition, "name">): string {
  return wordsIn(name);
}

/** `analytics.createPlot_v2` → "analytics create plot v2". */
function wordsIn(name: string): string {
  return name
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replaceAll(/[^\p{L}\d]+/gu, " ")
    .trim()
    .toLowerCase();
}
