import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WiringFault } from "../../../common/errors.js";
import { promptOf } from "../../../nodes/shared/question.js";
import {
  type SummarizeInput,
  summarize,
  summarizeQuestion,
} from "../../../nodes/searching-steps/summarize.js";
import { closeWorkspaces } from "../../../nodes/workspace/workspace.js";
import type { Call, GraphState } from "../../../state/state.js";
import { emptyTree } from "../../../state/searchTree.js";
import { emptyState } from "../../fakes/emptyState.js";
import { type Reply, scriptedModel } from "../../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../../fakes/testLibrary.js";

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

function call(id: string, more: Partial<Call> = {}): Call {
  return { id, tool: "double_number", args: { value: 2 }, result: 4, ms: 1, cost: 1, ...more };
}

/** Calls with results of 1000 characters each. */
function longCalls(count: number): Call[] {
  return Array.from({ length: count }, (_, at) => call(`${at}`, { result: "x".repeat(1000) }));
}

async function written(options: {
  state?: Partial<GraphState>;
  reply?: Reply;
  settings?: Record<string, unknown>;
}) {
  const { state, reply = { text: '{"answer": "It is 4."}' }, settings } = options;
  const model = scriptedModel([reply]);
  const whole = emptyState({
    run: { id: "run", request: "Twice two?" },
    status: "unsolved",
    answer: "No way.",
    calls: [call("1")],
    ...state,
  });
  const context = { ...TEST_LIBRARY, model: model.spec, ...settings };
  return { update: await summarize()(whole, { context }), questions: model.questions };
}

describe("summarize", () => {
  it("writes what was found, and leaves the status as it was", async () => {
    const { update } = await written({});
    expect(update).toMatchObject({ answer: "It is 4.", usage: { modelCalls: 1 } });
    expect(update).not.toHaveProperty("status");
  });

  it("asks once more about values from nowhere, then gives the results as they are", async () => {
    const reply = { text: '{"answer": "It is 57."}' };
    const { update } = await written({ reply });
    expect(update).toMatchObject({ repair: { stage: "summarize" } });
    const again = await written({ reply, state: { repair: update.repair } });
    expect(again.questions[0]?.messages.at(-1)?.text).toMatch(/It is 57\.[\s\S]*gives: 57/);
    expect(again.update).toMatchObject({ repair: null });
    expect(again.update.answer).toBe("No way. Results so far: double_number (value: 2): 4.");
  });

  it("shows each tool that was executed with all its calls in order", async () => {
    const calls = [
      call("1"),
      call("2", { tool: "greet", args: { person: "Ana" }, result: "Hello, Ana!" }),
      call("3", { args: {}, result: undefined, error: "Error: value is missing" }),
      call("4", { tool: "halve_number", error: "the budget does not allow it", refused: true }),
    ];
    const { questions } = await written({ state: { calls } });
    expect(questions[0]).toMatchObject({ stage: "summarize" });
    expect(questions[0]?.input).toMatchObject({ request: "Twice two?", draft: "No way." });
    expect(questions[0]?.input).toHaveProperty("findings", [
      {
        tool: { name: "double_number", description: expect.stringContaining("Double a number") },
        calls: [
          { args: { value: 2 }, result: 4 },
          { args: {}, error: "Error: value is missing" },
        ],
      },
      {
        tool: { name: "greet", description: expect.stringContaining("Greet a person") },
        calls: [{ args: { person: "Ana" }, result: "Hello, Ana!" }],
      },
    ]);
  });

  it("tells a result too long for the record as far as the agent was told it", async () => {
    const made = { name: "double_number", args: {}, observation: "The first part", failed: false };
    const step = { id: 1, parent: 0, depth: 2, text: "", calls: [{ id: "1", ...made }] };
    const tree = { ...emptyTree(), nodes: [...emptyTree().nodes, step] };
    const calls = [call("1", { result: undefined, resultRef: "journal/1" })];
    const { questions } = await written({ state: { calls, tree } });
    expect(questions[0]?.input).toMatchObject({
      findings: [{ calls: [{ result: "The first part" }] }],
    });
  });

  it("knows a tool that the library no longer has by its id", async () => {
    const { questions } = await written({ state: { calls: [call("1", { tool: "gone" })] } });
    expect(questions[0]?.input).toMatchObject({
      findings: [{ tool: { name: "gone", description: "" } }],
    });
  });

  it.each([
    ["nothing was called", []],
    ["every call was refused", [call("1", { refused: true })]],
  ])("cannot be led to when %s", async (_when, calls) => {
    await expect(written({ state: { calls } })).rejects.toThrow(WiringFault);
  });

  it("sends no prompt of 25,000 characters or more", async () => {
    expect((await written({ state: { calls: longCalls(20) } })).questions).toHaveLength(1);
    const tooMany = await written({ state: { calls: longCalls(25) } });
    expect(tooMany.questions).toEqual([]);
    expect(tooMany.update.answer).toMatch(/^No way\. Results so far: /);
  });

  it.each([["It is 4."], ['{"answer": ""}'], ['{"answer": 4}'], [""]])(
    "adds the results to what the search says when the reply is %j",
    async (text) => {
      const { update } = await written({ reply: { text } });
      expect(update.answer).toMatch(/^No way\. Results so far: /);
      expect(update).toMatchObject({ usage: { modelCalls: 1 } });
    },
  );

  it("adds the results without asking if a limit forbids it", async () => {
    const usage = { ...emptyState().usage, modelCalls: 1 };
    const settings = { maxModelCalls: 1 };
    const { update, questions } = await written({ state: { usage }, settings });
    expect(update.answer).toMatch(/^No way\. Results so far: /);
    expect(update).not.toHaveProperty("status");
    expect(questions).toEqual([]);
  });
});

const INPUT: SummarizeInput = {
  request: "How long is {x}?",
  background: "Today is Monday.",
  earlierTurns: [],
  findings: [
    {
      tool: { name: "measure", description: "Measures a thing" },
      calls: [
        { args: { of: "x" }, result: { metres: 3 } },
        { args: { of: "y" }, error: "no such thing" },
        { args: {}, result: undefined },
      ],
    },
    { tool: { name: "gone", description: "" }, calls: [{ args: {}, result: "x".repeat(5000) }] },
  ],
  draft: "About three.",
};

describe("the question for a summary", () => {
  const [system = "", task = ""] = promptOf(summarizeQuestion, { input: INPUT }).messages.map(
    ({ text }) => text,
  );

  it("shows the request, of each tool all calls with their results or errors, and the background", () => {
    expect(system).toMatch(/Today is Monday\.$/);
    expect(task).toContain(INPUT.request);
    expect(task).toMatch(
      /measure: Measures a thing\n.*\{"of":"x"\}\n.*\{"metres":3\}\n.*\{"of":"y"\}\n.*no such thing\n.*\{\}\n.*\(none\)\n\n.*gone\n/,
    );
  });

  it("does not show the answer that it replaces", () => {
    expect(task).not.toContain(INPUT.draft);
  });

  it("cuts results to the published 1024 characters", () => {
    expect(/x{1000,}/.exec(task)?.[0]).toHaveLength(1024);
  });
});
