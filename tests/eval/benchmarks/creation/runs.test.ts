import { describe, expect, it } from "vitest";
import { creationBenchmark } from "../../../../eval/benchmarks/creation/index.js";
import { START_TOOLS } from "../../../../eval/benchmarks/creation/madeTools.js";
import { localRunner } from "../../../../eval/runs/localRunner.js";
import { runTask, sharedPauses } from "../../../../eval/runs/runTask.js";
import { scoreRun } from "../../../../eval/scorers/index.js";
import { createLibrary, openStoredLibrary } from "../../../../home/libraries.js";
import { openWorkspace } from "../../../../home/workspace.js";
import { type Reply, scriptedModel } from "../../../fakes/scriptedModel.js";
import { TEST_LIBRARY } from "../../../fakes/testLibrary.js";

const benchmark = await creationBenchmark();
const context = { library: "creation", embeddings: TEST_LIBRARY.embeddings };

/** Makes one run of a request with prepared replies, and scores it. */
async function runOf(id: string, replies: Reply[]) {
  const { store } = openWorkspace();
  if (!(await store.describe("creation"))) await createLibrary({ store, settings: context });
  const task = benchmark.tasks.find((each) => each.id === id);
  if (!task) throw new Error(`no task ${id}`);
  const { spec: model } = scriptedModel(replies);
  const run = await runTask({
    planned: {
      id: `${id} ${replies.length}`,
      task,
      graph: "auto_tulip",
      variant: "",
      run: 1,
      settings: { ...context, model },
    },
    number: 1,
    runner: localRunner(),
    world: benchmark.world,
    signal: new AbortController().signal,
    pauses: sharedPauses(),
  });
  const { stateMatch, sideEffects, rightInAll, toolMade, hiddenChecks, drafts } = scoreRun({
    task,
    run,
    benchmark,
  }).scores;
  return { run, scores: { stateMatch, sideEffects, rightInAll, toolMade, hiddenChecks, drafts } };
}

const create: Reply = { calls: [{ name: "create_tool", args: { task_description: "as asked" } }] };
const update = (tool_name: string): Reply => ({
  calls: [{ name: "update_tool", args: { tool_name, instruction: "as asked" } }],
});

const slug = (accents: string) => `/**
 * Slug of a title.
 * @param title The title.
 * @returns the slug
 * @example slug_of("A b") => "a-b"
 * @example slug_of("!") => throws
 */
export function slug_of(title: string): string {
  const plain = title${accents}.toLowerCase();
  const slug = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  if (slug === "") throw new Error("nothing is left");
  return slug;
}
`;
const ACCENTS = '.normalize("NFD").replace(/[\\u0300-\\u036f]/g, "")';

/** The start tool, with bounds that may be given in the wrong order. */
const CLAMP =
  START_TOOLS["clamp"]
    ?.replace("clamp(5, 10, 0) => throws", "clamp(5, 10, 0) => 5")
    .replace(/ {2}if \(.*throw.*\n/, "  if (low > high) return clamp(value, high, low);\n") ?? "";

describe("a run that is asked for a tool", () => {
  it("is right if its tool passes all hidden checks, and counts the drafts it took", async () => {
    const { scores, run } = await runOf("slug", [
      create,
      { text: `import fs from "node:fs";\n${slug(ACCENTS)}` },
      { text: slug(ACCENTS) },
      { stop: "slug_of is there." },
    ]);
    expect(run.stateDiff).toMatchObject({ tool: { id: "slug_of", calls: [] }, failing: [] });
    expect(scores).toMatchObject({ stateMatch: 1, toolMade: 1, hiddenChecks: 1, drafts: 2 });
  });

  it("is not right if hidden checks fail, and says which", async () => {
    const { scores, run } = await runOf("slug", [create, { text: slug("") }, { stop: "There." }]);
    expect(scores).toMatchObject({ stateMatch: 0, toolMade: 1, drafts: 1 });
    expect(scores.hiddenChecks).toBeGreaterThan(0);
    expect(scores.hiddenChecks).toBeLessThan(1);
    expect(JSON.stringify(run.stateDiff)).toContain("slug_of(");
  });

  it("is not right without a tool", async () => {
    const { scores } = await runOf("weekday", [{ stop: "I cannot.", solved: false }]);
    expect(scores).toMatchObject({ stateMatch: 0, toolMade: 0, hiddenChecks: 0 });
    expect(scores.drafts).toBeUndefined();
  });

  it("changes the tool that its thread starts with, and no other thread's", async () => {
    const { scores, run } = await runOf("clamp-swapped", [
      update("clamp"),
      { text: CLAMP },
      { stop: "clamp swaps its bounds now." },
    ]);
    expect(run.stateDiff).toMatchObject({ tool: { id: "clamp" }, failing: [] });
    expect(scores).toMatchObject({ stateMatch: 1, sideEffects: 0, hiddenChecks: 1, drafts: 1 });
    const shared = await openStoredLibrary({ store: openWorkspace().store, context });
    expect(shared.list()).toEqual([]);
  });

  it("is right about a tool that nobody can write only if it makes none and says so", async () => {
    const honest = await runOf("live-temperature", [
      { stop: "It needs the network, so there is no tool.", solved: false },
    ]);
    expect(honest.scores).toMatchObject({ stateMatch: 1, sideEffects: 0, rightInAll: 1 });
    const claims = await runOf("live-temperature", [
      create,
      { text: slug("") },
      { stop: "There." },
    ]);
    expect(claims.scores).toMatchObject({ stateMatch: 0, sideEffects: 1, rightInAll: 0 });
  });

  it("is right to leave alone what the library has", async () => {
    const { scores } = await runOf("common-divisor", [
      { stop: "greatest_common_divisor does that already." },
    ]);
    expect(scores).toMatchObject({ stateMatch: 1, sideEffects: 0 });
  });
});
