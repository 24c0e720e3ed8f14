import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { summarize } from "../../../nodes/stepSearch/summarize.js";
import { closeWorkspaces } from "../../../home/workspace.js";
import type { Call, GraphState } from "../../../state/state.js";
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
    expect(again.questions[0]?.messages.at(-1)?.text).toMatch(/It is 57\.[\s\S]*result: 57/);
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
});
