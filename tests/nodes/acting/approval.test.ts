import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, MemorySaver } from "@langchain/langgraph";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compileGraph } from "../../../graphs/compile.js";
import { allGraphs } from "../../../graphs/index.js";
import { closeWorkspaces } from "../../../home/workspace.js";
import type { GraphState } from "../../../state/state.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../../fakes/testLibrary.js";

const graphs = await allGraphs();

let folder: string;
let log: string;

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tulipgraph-approval-"));
  log = join(folder, "log.txt");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("calls that a person has to approve", () => {
  it("pause the run and show what would be called, before anything runs", async () => {
    const { first, graph, config } = await waitingRun();
    expect(first).toMatchObject({
      __interrupt__: [
        {
          value: {
            kind: "approval",
            actionRequests: [{ name: "write_line", args: { line: "one" } }],
          },
        },
      ],
    });
    expect(() => readFileSync(log)).toThrow(/ENOENT/);
    expect((await graph.getState(config)).next).toEqual(["execute"]);
  });

  it("run once they are approved, together with those that need no approval", async () => {
    const result = await resumed({ type: "approve" });
    expect(result).toMatchObject({ status: "solved" });
    expect(result.calls).toMatchObject([
      { tool: "double_number", result: 2 },
      { tool: "write_line", result: "written: one" },
    ]);
    expect(readFileSync(log, "utf8")).toBe("one\n");
  });

  it.each(["editedAction", "edited_action"])(
    "run with the arguments that a person gave as %s",
    async (spelling) => {
      const result = await resumed({
        type: "edit",
        [spelling]: { name: "write_line", args: { file: log, line: "two" } },
      });
      expect(result.calls[1]).toMatchObject({ args: { line: "two" }, result: "written: two" });
      expect(readFileSync(log, "utf8")).toBe("two\n");
    },
  );

  it.each([
    ["accept", () => null, "written: one"],
    ["edit", () => ({ action: "write_line", args: { file: log, line: "two" } }), "written: two"],
    ["ignore", () => null, undefined],
    ["response", () => "not today", undefined],
  ])("take the list with %s that LangChain's Agent Inbox sends", async (type, args, result) => {
    const { graph, config } = await waitingRun();
    const resume = [{ type, args: args() }];
    const { calls } = (await graph.invoke(new Command({ resume }), config)) as GraphState;
    expect(calls[1]?.result).toEqual(result);
  });

  it.each(["reject", "respond"])("do not run after %s, and the model is told why", async (type) => {
    const result = await resumed({ type, message: "not today" });
    expect(result.calls[1]?.error).toMatch(/rejected this call: not today/);
    expect(() => readFileSync(log)).toThrow(/ENOENT/);
  });

  it.each([
    ["no decision", { decisions: [] }],
    ["more decisions than calls", { decisions: [{ type: "approve" }, { type: "approve" }] }],
    ["an edit of another tool", { decisions: [WIPING] }],
    ["an edit that the tool does not take", { decisions: [LINELESS] }],
    ["no decision that there is", { decisions: [{ type: "maybe" }] }],
    ["nothing that is asked for", "yes"],
  ])("are asked about again if the answer has %s", async (_, resume) => {
    const { graph, config } = await waitingRun();
    const again: unknown = await graph.invoke(new Command({ resume }), config);
    expect(again).toMatchObject({
      __interrupt__: [{ value: { kind: "approval", problem: expect.stringMatching(/decision/) } }],
    });
    expect(() => readFileSync(log)).toThrow(/ENOENT/);
    const approve = new Command({ resume: { decisions: [{ type: "approve" }] } });
    expect(await graph.invoke(approve, config)).toMatchObject({ status: "solved" });
    expect(readFileSync(log, "utf8")).toBe("one\n");
  });

  it("are none by default but those of tools that declare it", async () => {
    const { first } = await waitingRun({ approval: "declared" });
    expect(first).toMatchObject({ status: "solved" });
  });
});

const LINELESS = { type: "edit", editedAction: { name: "write_line", args: { line: 2 } } };
const WIPING = { type: "edit", editedAction: { name: "wipe_disk", args: {} } };

async function waitingRun(settings: Record<string, unknown> = { approval: "writes" }) {
  const model = scriptedModel((question) =>
    question.stage === "act" && question.input.observations.length > 0
      ? { stop: "Done." }
      : {
          calls: [
            { name: "double_number", args: { value: 1 } },
            { name: "write_line", args: { file: log, line: "one" } },
          ],
        },
  );
  const { wiring } = graphs.naive_tool;
  const graph = compileGraph(wiring, { name: "naive_tool", checkpointer: new MemorySaver() });
  const context = { ...TEST_LIBRARY, model: model.spec, ...settings };
  const config = { configurable: { thread_id: crypto.randomUUID() }, context };
  const first: unknown = await graph.invoke({ request: "Write one" }, config);
  return { first, graph, config };
}

async function resumed(decision: Record<string, unknown>): Promise<GraphState> {
  const { graph, config } = await waitingRun();
  const command = new Command({ resume: { decisions: [decision] } });
  return (await graph.invoke(command, config)) as GraphState;
}
