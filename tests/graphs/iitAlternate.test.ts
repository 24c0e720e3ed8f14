import { describe, expect, it } from "vitest";
import type { Reply } from "../fakes/scriptedModel.js";
import { MINE, call, plan, said, useWorkItems } from "./workItems.js";

useWorkItems();

describe("iit_alternate", () => {
  it("writes all calls in one reply under the schemas of their tools, and drops tasks without one", async () => {
    const { answer, questions, result } = await plan("iit_alternate", {
      replies: [
        outlined(
          ["no_tool", "Think"],
          ["who_am_i", "Who asks"],
          [null, "Think again"],
          ["works_list", "List the works of $$PREV[1]"],
          ["works_list", "Once more the works of $$PREV[1]"],
          ["summarize", "Summarize $$PREV[4]"],
          ["no tool", "Say so"],
        ),
        said({
          calls: [
            call("who_am_i"),
            call("works_list", { createdBy: "$$PREV[0]" }),
            call("works_list", { created_by: ["$$PREV[0]"] }),
            call("summarize", { objects: "$$PREV[2]" }),
          ],
        }),
      ],
    });
    expect(questions.map(({ stage }) => stage)).toEqual(["outline", "composeSteps"]);
    expect(questions.at(-1)?.input).toMatchObject({
      tools: [{ name: "who_am_i" }, { name: "works_list" }, { name: "summarize" }],
      tasks: [
        { tool: "who_am_i" },
        { task: "List the works of $$PREV[0]" },
        {},
        { tool: "summarize", task: "Summarize $$PREV[2]", thought: "So." },
      ],
    });
    expect(answer).toEqual(MINE);
    expect(result).toMatchObject({ status: "planned", usage: { modelCalls: 2 } });
    expect(result.plan?.repairs.join("\n")).toMatch(/createdBy was taken for created_by/);
  });

  it.each([
    [
      "its own output",
      said([call("summarize", { objects: "$$PREV[0]" })]),
      /call 0 refers to \$\$PREV\[0\], but nothing comes before it/,
    ],
    [
      "another tool",
      said([call("who_am_i")]),
      /call 0 is a call of who_am_i, but its task is done by summarize/,
    ],
    [
      "more calls than tasks",
      said([call("summarize"), call("summarize")]),
      /has 2 calls for 1 task/,
    ],
    ["prose", { text: "It cannot be done." }, /was not one call for each task: no plan was found/],
    ["nothing", { text: "" }, /was not one call for each task/],
  ])("asks again for calls with %s", async (_, reply, problem) => {
    const { answer, questions } = await plan("iit_alternate", {
      replies: [
        outlined(["summarize", "Sum up"]),
        reply,
        said([call("summarize", { objects: ["x"] })]),
      ],
    });
    expect(questions[2]?.messages.at(-1)?.text).toMatch(problem);
    expect(answer).toEqual([call("summarize", { objects: ["x"] })]);
  });

  it.each([
    [
      "a tool that was not found",
      outlined(["summarise_all", "Sum up"]),
      /unknown tool "summarise_all"/,
    ],
    [
      "a reference to a task that comes later",
      outlined(["works_list", "List the works of $$PREV[1]"], ["who_am_i", "Who asks"]),
      /task 0.*\$\$PREV\[1\].*task 1/,
    ],
    [
      "a reference to a task without a tool",
      outlined(["no_tool", "Think"], ["who_am_i", "Who asks as in $$PREV[0]"]),
      /task 1.*\$\$PREV\[0\].*task 0/,
    ],
    ["no tasks", { text: "First I would look." }, /\{"tasks": /],
  ])("asks again for an outline with %s", async (_, reply, problem) => {
    const { questions, answer } = await plan("iit_alternate", {
      replies: [reply, outlined(["whoAmI", "Who asks"]), said([call("who_am_i")])],
    });
    expect(questions[1]?.messages.at(-1)?.text).toMatch(problem);
    expect(answer).toEqual([call("who_am_i")]);
  });
});

/** Tasks with their tools, as a model writes them. */
function outlined(...tasks: [tool_name: string | null, task: string][]): Reply {
  return said({ tasks: tasks.map(([tool_name, task]) => ({ thought: "So.", tool_name, task })) });
}
