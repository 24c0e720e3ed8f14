import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Demonstration } from "../../../memory/demonstrations/demonstrationStore.js";
import { wordEmbeddings } from "../../fakes/wordEmbeddings.js";
import { openStore } from "../support.js";
import { callOf, demonstration, demonstrationQuestion } from "./support.js";

/** The tasks of the demonstrations that are chosen of these. */
async function chosenOf(
  demonstrations: readonly Demonstration[],
  changes: Parameters<typeof demonstrationQuestion>[0] = {},
): Promise<string[]> {
  const { demonstrations: store } = openStore();
  await store.add(demonstrations);
  const chosen = await store.select(demonstrationQuestion(changes));
  return chosen.map(({ task }) => task);
}

function ofTool(tool: string, task: string): Demonstration {
  return demonstration({ level: "tool", task, calls: [callOf(tool)] });
}

/** The cosine of two texts, without the loss of storing it in bytes. */
async function cosine(one: string, other: string): Promise<number> {
  const [a = [], b = []] = await EXACT.embedDocuments([one, other]);
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}
const EXACT = wordEmbeddings({ dimensions: 512 });

describe("choosing demonstrations", () => {
  const ALIKE = ["add two numbers", "add two numbers now", "add two small numbers"];

  it("gives the k most similar tasks above the threshold, the most similar first", async () => {
    const tasks = ["greet the neighbours", ...ALIKE.toReversed()];
    const added = tasks.map((task) => demonstration({ task }));
    expect(await chosenOf(added)).toEqual(["add two numbers", "add two small numbers"]);
    expect(await chosenOf(added, { count: 9 })).toHaveLength(3);
  });

  it("falls back to one demonstration for each retrieved tool when no task is alike", async () => {
    const added = [
      demonstration({ task: "greet the neighbours" }),
      ofTool("add", "put one on top"),
      ofTool("add", "sum numbers"),
      ofTool("multiply", "double it"),
      ofTool("subtract", "take away"),
    ];
    const retrieved = ["multiply", "divide", "add"];
    expect(
      await chosenOf(added, { retrieved, available: new Set([...retrieved, "subtract"]) }),
    ).toEqual(["double it", "sum numbers"]);
  });

  it("never gives those of another library", async () => {
    const added = [
      demonstration({ library: "office" }),
      demonstration({ library: "office", level: "tool" }),
    ];
    expect(await chosenOf(added)).toEqual([]);
  });

  it("embeds nothing with k = 0, and each task only once", async () => {
    const { demonstrations: store } = openStore();
    await store.add(ALIKE.map((task) => demonstration({ task })));
    const model = wordEmbeddings({ dimensions: 64 });
    const embeddings = { name: "words:counted", embeddings: model };
    expect(await store.select(demonstrationQuestion({ embeddings, count: 0 }))).toEqual([]);
    expect(model.calls).toEqual([]);
    await store.select(demonstrationQuestion({ embeddings, query: "sum" }));
    await store.select(demonstrationQuestion({ embeddings, query: "difference" }));
    expect(model.calls).toEqual([["sum"], ALIKE, ["difference"]]);
  });

  it("keeps to the published rule for any tasks", async () => {
    const word = fc.constantFrom("add", "two", "big", "numbers", "greet", "people");
    const task = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(" "));
    const tool = fc.constantFrom("add", "subtract", "multiply", "gone");
    const level = fc.constantFrom("subtask" as const, "tool" as const);
    const some = fc.array(fc.record({ task, tool, level }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(some, task, fc.integer({ min: 0, max: 3 }), async (given, query, count) => {
        const { demonstrations: store } = openStore();
        await store.add(
          given.map(({ task, tool, level }) =>
            demonstration({ task, level, calls: [callOf(tool)] }),
          ),
        );
        const question = demonstrationQuestion({ query, count, threshold: 0.5 });
        const chosen = await store.select(question);
        const ofTasks = given.filter(({ tool, level }) => tool !== "gone" && level === "subtask");
        const cosines = await Promise.all(ofTasks.map(async ({ task }) => cosine(query, task)));
        // So near to the threshold, the bytes decide.
        fc.pre(cosines.every((value) => Math.abs(value - 0.5) > 0.01));
        const tools = chosen.map(({ calls }) => calls[0]?.tool);
        const levels = chosen.map(({ level }) => level);
        const alike = new Set(
          ofTasks.filter((_, at) => (cosines[at] ?? 0) > 0.5).map((each) => JSON.stringify(each)),
        ).size;
        const retrieved = [...question.retrieved].filter((tool) =>
          given.some((each) => each.tool === tool && each.level === "tool"),
        );
        expect(levels.filter((level) => level === "subtask")).toHaveLength(Math.min(alike, count));
        expect(alike === 0 && count > 0 ? tools : []).toEqual(
          alike === 0 && count > 0 ? retrieved : [],
        );
        expect(new Set(levels).size).toBeLessThanOrEqual(1);
        expect(tools).not.toContain("gone");
      }),
      { numRuns: 40 },
    );
  });
});
