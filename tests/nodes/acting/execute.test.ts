import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ToolMessage } from "@langchain/core/messages";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allGraphs } from "../../../graphs/index.js";
import { closeWorkspaces } from "../../../home/workspace.js";
import type { GraphState } from "../../../state/state.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../../fakes/testLibrary.js";

const graphs = await allGraphs();

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

describe("a call that goes wrong", () => {
  it("tells the model what the tool threw, in one line and without a stack", async () => {
    const { result, observed } = await call({ name: "break_down", args: { reason: "rust" } });
    expect(observed).toMatchObject({ status: "error", content: "Error: broken: rust" });
    expect(result.calls).toMatchObject([{ tool: "break_down", error: "Error: broken: rust" }]);
    expect(result.status).toBe("unsolved");
  });

  it("ends an endless tool when the run's time is over, with status limit", async () => {
    const settings = { maxSeconds: 1 };
    const { result } = await call({ name: "spin", args: { turns: 1 }, settings });
    expect(result.status).toBe("limit");
    expect(result.answer).toContain("the limit of 1 seconds");
  });
});

it.each([{ value: "4" }, { value: [4] }])(
  "takes %j for the number that it can only mean",
  async (args) => {
    const { result } = await call({ name: "double_number", args });
    expect(result.calls).toMatchObject([{ args: { value: 4 }, result: 8 }]);
  },
);

describe("arguments that the tool does not have", () => {
  it("are read as the parameter they must mean, by the tool and in the record", async () => {
    const { result } = await call({ name: "double_number", args: { values: 4 } });
    expect(result.calls).toMatchObject([{ args: { value: 4 }, result: 8 }]);
  });
});

it("makes a write once that is in one message twice, and once more if it is sent again", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "execute-")), "log");
  const write = { name: "write_line", args: { file, line: "a" } };
  const filledIn = { name: "write_line", args: { file, line: "a", waitMs: 0 } };
  const model = scriptedModel([
    { calls: [write, filledIn] },
    { calls: [write] },
    { calls: [write] },
    { stop: "Done." },
  ]);
  const context = { ...TEST_LIBRARY, model: model.spec };
  const state = await graphs.naive_tool.graph.invoke({ request: "Do it" }, { context });
  expect((state as GraphState).calls.map(({ refused = false }) => refused)).toEqual([
    false,
    true,
    false,
    true,
  ]);
  expect(readFileSync(file, "utf8")).toBe("a\na\n");
  rmSync(dirname(file), { recursive: true });
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
