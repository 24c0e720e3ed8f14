import { describe, expect, it } from "vitest";
import type { ComposeStepInput } from "../../../prompts/stages.js";
import { composing, numeric, textOf } from "./composeInputs.js";
import { CALCULATOR } from "./libraries.js";

const TOOLS = numeric(CALCULATOR);
const REQUEST = "Subtract 3 from 10, then multiply the result by 2.";

interface Task {
  thought: string;
  tool_name: string;
  task: string;
}

async function outline(request: string): Promise<Task[]> {
  const reply = JSON.parse(await textOf("outline", composing({ request, tools: TOOLS }))) as {
    tasks: Task[];
  };
  return reply.tasks;
}

async function callOf(tasks: Task[], position: number): Promise<unknown> {
  const { tools, ...input } = composing({ request: REQUEST, tools: TOOLS });
  const tool = tools.find(({ name }) => name === tasks[position]?.tool_name);
  if (!tool) throw new Error("the outline names no tool that is there");
  const known = tasks.slice(0, position + 1);
  const step: ComposeStepInput = {
    ...input,
    position,
    tasks: known.map(({ thought, tool_name, task }) => ({ thought, tool: tool_name, task })),
    tool,
  };
  return JSON.parse(await textOf("composeStep", step));
}

describe("an outline", () => {
  it("has a task with its tool for each call, which refers to calls before it", async () => {
    expect(await outline(REQUEST)).toMatchObject([
      { tool_name: "minus", task: "subtract 3 from 10" },
      { tool_name: "times", task: "multiply $$PREV[0] by 2" },
    ]);
  });

  it("is empty where no tool serves", async () => {
    expect(await outline("Book a table for two.")).toEqual([]);
  });

  it("becomes calls one by one, under the schemas of their tools", async () => {
    const tasks = await outline(REQUEST);
    expect(await callOf(tasks, 0)).toEqual({
      tool_name: "minus",
      arguments: [
        { argument_name: "a", argument_value: 10 },
        { argument_name: "b", argument_value: 3 },
      ],
    });
    expect(await callOf(tasks, 1)).toEqual({
      tool_name: "times",
      arguments: [
        { argument_name: "a", argument_value: "$$PREV[0]" },
        { argument_name: "b", argument_value: 2 },
      ],
    });
  });
});
