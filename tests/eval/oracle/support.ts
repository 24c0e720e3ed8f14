import type { GoldTask } from "../../../eval/oracle/goldTask.js";
import type { Plan } from "../../../plans/plan.js";
import type { OfferedTool } from "../../../nodes/shared/stageInputs.js";
import type { ToolDefinition } from "../../../tools/tool.js";

/** A tool that accepts anything under the given names. */
export function toolNamed(
  id: string,
  { effects = "read" }: Partial<Pick<ToolDefinition, "effects">> = {},
): ToolDefinition {
  return {
    id,
    name: id,
    description: `Does ${id}.`,
    parameters: { type: "object", properties: {}, additionalProperties: true },
    source: { kind: "declared", file: "tools.jsonl" },
    effects,
  };
}

/** A task whose tools only read, except for the given ones. */
export function goldTask(options: {
  steps: Plan["steps"];
  answer?: string;
  writing?: readonly string[];
}): GoldTask {
  const { steps, answer = "", writing = [] } = options;
  const tools = steps.map(({ tool }) =>
    toolNamed(tool, { effects: writing.includes(tool) ? "write" : "read" }),
  );
  return {
    task: { id: "task", query: "Please do it.", tools: [], level: "all" },
    plan: { steps, answer, lacking: [] },
    tools: new Map(tools.map((tool) => [tool.id, tool])),
  };
}

/** Tools as shown to a model. */
export function shown(...names: string[]): OfferedTool[] {
  return names
    .map((name) => toolNamed(name))
    .map(({ name, description, parameters }) => ({
      name,
      description,
      parameters,
    }));
}

/** The first area, the second, and their sum: two steps that can run at once, and one that uses both. */
export const SUM = goldTask({
  steps: [
    { tool: "area_square", args: { side: 3 } },
    { tool: "areaCircle", args: { radius: 2 } },
    { tool: "add", args: { a: { $prev: 0, path: [] }, b: { $prev: 1, path: ["area"] } } },
  ],
  answer: "It is $$PREV[2].",
});
