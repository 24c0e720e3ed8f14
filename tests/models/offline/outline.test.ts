import { describe, expect, it } from "vitest";
import { replyToComposeSteps, replyToOutline } from "../../../models/offline/composing.js";
import type { ComposeStepsInput } from "../../../nodes/planning/composeSteps.js";
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
  const reply = JSON.parse(await textOf(replyToOutline(composing({ request, tools: TOOLS })))) as {
    tasks: Task[];
  };
  return reply.tasks;
}

async function callsOf(tasks: Task[]): Promise<unknown> {
  const { tools, ...input } = composing({ request: REQUEST, tools: TOOLS });
  const steps: ComposeStepsInput = {
    ...input,
    tasks: tasks.map(({ thought, tool_name, task }) => ({ thought, tool: tool_name, task })),
    tools: tools.filter(({ name }) => tasks.some(({ tool_name }) => tool_name === name)),
  };
  return JSON.parse(await textOf(replyToComposeSteps(steps)));
}

describe("an outline", () => {
  it("has a task with its tool for each call, which refers to calls before it", async () => {
    expect(await outline(REQUEST)).toMatchObject([
      { tool_name: "minus", task: "subtract 3 from 10" },
      { tool_name: "times", task: "multiply $$PREV[0] by 2" },
    ]);
  });

  it("is empty if no tool fits", async () => {
    expect(await outline("Book a table for two.")).toEqual([]);
  });

  it("becomes calls, each under the schema of its tool", async () => {
    expect(await callsOf(await outline(REQUEST))).toEqual({
      calls: [
        {
          tool_name: "minus",
          arguments: [
            { argument_name: "a", argument_value: 10 },
            { argument_name: "b", argument_value: 3 },
          ],
        },
        {
          tool_name: "times",
          arguments: [
            { argument_name: "a", argument_value: "$$PREV[0]" },
            { argument_name: "b", argument_value: 2 },
          ],
        },
      ],
    });
  });
});
