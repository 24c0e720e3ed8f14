import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type GraphId, allGraphs } from "../../graphs/index.js";
import type { PlanTool } from "../../plans/steps/plan.js";
import { importTools } from "../../home/libraries.js";
import { closeWorkspaces, openWorkspace } from "../../home/workspace.js";
import type { GraphState } from "../../state/state.js";
import { type Question, type Reply, scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";
import { demonstration } from "../memory/demonstrations/support.js";
import { planTools } from "../plans/steps/planTools.js";

const graphs = await allGraphs();

/** A library of tools that can only be planned with: nothing that they would do is there. */
const WORK = { ...TEST_LIBRARY, library: "work-items", threshold: 0, topK: 30, demoThreshold: 0.5 };

const folder = mkdtempSync(join(tmpdir(), "tulipgraph-iit-"));
const file = join(folder, "tools.jsonl");

/** Makes the library for the tests of a file, with one demonstration, and takes it away again. */
export function useWorkItems(): void {
  beforeAll(importWorkItems);
  afterAll(async () => {
    await closeWorkspaces();
    rmSync(folder, { recursive: true, force: true });
  });
}

async function importWorkItems(): Promise<void> {
  // A file before this one may have taken it away.
  mkdirSync(folder, { recursive: true });
  declare(planTools);
  await importTools({
    store: openWorkspace().store,
    settings: WORK,
    file,
    description: "Work items",
  });
  await (
    await openWorkspace().experience()
  ).demonstrations.add([
    demonstration({
      library: WORK.library,
      task: "Summarize my works",
      calls: [
        { tool: "works_list", args: {}, result: ["W-1"] },
        { tool: "summarize", args: { objects: ["W-1"] }, result: "One." },
      ],
    }),
  ]);
}

/** Makes these the tools of the library, from the next request on. */
export function declare(tools: PlanTool[]): void {
  const lines = tools.map((one) => JSON.stringify({ ...one, name: one.id, description: one.id }));
  writeFileSync(file, lines.join("\n"));
}

/** A run of a graph whose answer is a plan, with a model that gives these replies. */
export async function plan(
  id: GraphId,
  {
    replies,
    ...settings
  }: { replies: Reply[] | ((question: Question, at: number) => Reply) } & Record<string, unknown>,
) {
  const model = scriptedModel(replies);
  const context = { ...WORK, model: model.spec, ...settings };
  const request = "Summarize my works and mine once more";
  const result = (await graphs[id].graph.invoke({ request }, { context })) as GraphState;
  return { result, questions: model.questions, answer: JSON.parse(result.answer) as unknown };
}

/** A call as it is written and answered; values are texts, numbers or lists. */
export function call(tool_name: string, args: Record<string, unknown> = {}) {
  const entries = Object.entries(args);
  return {
    tool_name,
    arguments: entries.map(([argument_name, argument_value]) => ({
      argument_name,
      argument_value,
    })),
  };
}

/** A reply in JSON. */
export function said(value: unknown): Reply {
  return { text: JSON.stringify(value) };
}

/** The plan that the request asks for. */
export const MINE = [
  call("who_am_i"),
  call("works_list", { created_by: ["$$PREV[0]"] }),
  call("summarize", { objects: "$$PREV[1]" }),
];
