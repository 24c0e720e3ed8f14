import { ToolMessage } from "@langchain/core/messages";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { graphs } from "../../graphs/index.js";
import { closeResources, openResources } from "../../resources/resources.js";
import type { GraphState } from "../../state/state.js";
import { scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";

beforeAll(importTestLibrary);
afterAll(closeResources);

describe("a call that goes wrong", () => {
  it("tells the model what the tool has thrown, in one line and without a stack", async () => {
    const { result, observed } = await call({ name: "break_down", args: { reason: "rust" } });
    expect(observed).toMatchObject({ status: "error", content: "Error: broken: rust" });
    expect(result.calls).toMatchObject([{ tool: "break_down", error: "Error: broken: rust" }]);
    expect(result.status).toBe("solved");
  });

  it("ends a tool that loops for ever when its time is over, and goes on", async () => {
    const settings = { toolTimeoutMs: 300 };
    const { result, observed } = await call({ name: "spin", args: { turns: 1 }, settings });
    expect(observed).toMatchObject({ status: "error" });
    expect(observed?.text).toMatch(/timed out after 300 ms/);
    expect(result.status).toBe("solved");
  });

  it("ends a tool that loops for ever when the run's time is over, with status limit", async () => {
    const settings = { maxSeconds: 1 };
    const { result } = await call({ name: "spin", args: { turns: 1 }, settings });
    expect(result.status).toBe("limit");
    expect(result.answer).toContain("the limit of 1 seconds");
  });
});

it("journals a call under the run's own id where there is no thread", async () => {
  const { result } = await call({ name: "double_number", args: { value: 4 } });
  expect(result.calls).toMatchObject([{ tool: "double_number", result: 8 }]);
  const [entry] = openResources().runtime.journal.calls(result.run.id);
  expect(entry).toMatchObject({ tool: "double_number", status: "done", args: { value: 4 } });
});

async function call(options: {
  name: string;
  args: Record<string, unknown>;
  settings?: Record<string, unknown>;
}) {
  const { name, args, settings } = options;
  const model = scriptedModel((question) =>
    question.stage === "act" && question.input.observations.length > 0
      ? { stop: "Done." }
      : { calls: [{ name, args }] },
  );
  const context = { ...TEST_LIBRARY, model: model.spec, ...settings };
  // Values hold the whole state; what the graph returns is only its output.
  const states = await graphs.naive_tool.graph.stream(
    { request: "Do it" },
    { context, streamMode: "values" },
  );
  let result: unknown;
  for await (const state of states) result = state;
  const state = result as GraphState;
  const observed = state.messages.find((message) => ToolMessage.isInstance(message));
  return { result: state, observed };
}
