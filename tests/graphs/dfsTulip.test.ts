import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importTools } from "../../home/libraries.js";
import { closeWorkspaces, openWorkspace } from "../../home/workspace.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";
import { DOUBLE, HALVE, REQUEST, expectValidHistory, run, tasksOf } from "./taskTreeRuns.js";

/** The stages of a part that one call of one tool solves. */
const PART = ["decompose", "act", "act"];

beforeAll(async () => {
  await importTestLibrary();
  const file = resolve("tests/fixtures/tree/tools.ts");
  await importTools({ store: openWorkspace().store, settings: TEST_LIBRARY, file });
});
afterAll(closeWorkspaces);

describe("a request of several parts", () => {
  it("is split, each part is solved in its own context, and the results are put together", async () => {
    const { state, questions } = await run({ plans: { [REQUEST]: [[DOUBLE, HALVE]] } });
    expect(state).toMatchObject({ status: "solved", answer: "42 and 5" });
    expect(questions.map(({ stage }) => stage)).toEqual([
      "decompose",
      ...PART,
      ...PART,
      "aggregate",
    ]);
    expect(state.calls).toMatchObject([
      { tool: "double_number", args: { value: 21 }, result: 42 },
      { tool: "halve_number", args: { value: 10 }, result: 5 },
    ]);
    expect(tasksOf(state)).toMatchObject([
      { id: "1", status: "done", result: "42 and 5" },
      { id: "1.1", status: "done", result: "42", calls: [state.calls[0]?.id] },
      { id: "1.2", status: "done", result: "5", calls: [state.calls[1]?.id] },
    ]);
  });

  it("is split again when a part fails: the model is told the failed plan, and later parts are skipped", async () => {
    const { state, questions } = await run({
      plans: {
        [REQUEST]: [
          ["double the bad number", HALVE],
          [DOUBLE, HALVE],
        ],
      },
    });
    expect(state).toMatchObject({ status: "solved", answer: "42 and 5" });
    expect(tasksOf(state).map(({ id, status }) => [id, status])).toEqual([
      ["1", "done"],
      ["1.1", "failed"],
      ["1.2", "skipped"],
      ["1.1'", "done"],
      ["1.2'", "done"],
    ]);
    const replanned = questions.find(
      ({ stage, input }) => stage === "decompose" && input.failedPlans?.length,
    );
    expect(replanned?.input).toMatchObject({
      failedPlans: [
        {
          subtasks: ["double the bad number", HALVE],
          reason: "“double the bad number” failed: It cannot be done.",
        },
      ],
    });
  });

  it("ends unsolved with what was tried when the second plan fails, too", async () => {
    const bad = ["double the bad number", HALVE];
    const { state, questions } = await run({ plans: { [REQUEST]: [bad, bad, bad] } });
    expect(state.status).toBe("unsolved");
    expect(state.answer).toContain(`No plan for “${REQUEST}” succeeded. Plan 1 (`);
    expect(state.answer).toContain(
      "Plan 2 (double the bad number; halve the number 10): “double the bad number” failed: It cannot be done.",
    );
    expect(questions.filter(({ stage }) => stage === "aggregate")).toEqual([]);
    expectValidHistory(state.messages);
  });

  it("gives the results of its parts if the model twice makes up another one", async () => {
    const { state, questions } = await run({
      plans: { [REQUEST]: [[DOUBLE, HALVE]] },
      aggregate: () => ({ result: "It is 865.", solved: true }),
    });
    expect(state.status).toBe("solved");
    expect(state.answer).toMatch(/42[\s\S]*5/);
    expect(state.answer).not.toContain("865");
    expect(questions.filter(({ stage }) => stage === "aggregate")).toHaveLength(2);
  });
});

describe("a request that is not split", () => {
  it("is solved with its tools", async () => {
    const { state, questions } = await run({ request: DOUBLE });
    expect(state).toMatchObject({ status: "solved", answer: "42" });
    expect(questions.map(({ stage }) => stage)).toEqual(["decompose", "act", "act"]);
    expect(state.messages).toHaveLength(2);
  });
});

describe("a task for which no tool is near", () => {
  it("is reworded once, and keeps the old words", async () => {
    const { state, questions } = await run({
      request: "zzz",
      paraphrases: { zzz: DOUBLE },
    });
    expect(state).toMatchObject({ status: "solved", answer: "42" });
    expect(questions.map(({ stage }) => stage)).toEqual([
      "decompose",
      "paraphrase",
      "decompose",
      "act",
      "act",
    ]);
    expect(questions[1]?.input).toMatchObject({ task: "zzz", tried: ["zzz"] });
    expect(tasksOf(state)[0]).toMatchObject({ text: DOUBLE, wordings: ["zzz"] });
    expect(state.searches).toMatchObject([
      { phrase: "zzz", subtask: "1", depth: 0, hits: [] },
      { phrase: DOUBLE },
    ]);
  });

  it("gets its own tool as a last resort and is solved with it", async () => {
    const request = "reverse zzz";
    const { state, questions } = await run({
      request,
      writeTool: () => ({ text: REVERSE }),
      act: ({ observations }) =>
        observations.length === 0
          ? { calls: [{ name: "reverse_text", args: { text: "zab" } }] }
          : { stop: String(observations[0]?.result) },
    });
    expect(state).toMatchObject({ status: "solved", answer: "baz" });
    expect(state.edits).toMatchObject([{ outcome: "done", tool: "reverse_text", task: request }]);
    expect(tasksOf(state)[0]).toMatchObject({
      created: "reverse_text",
      tools: ["reverse_text"],
      status: "done",
    });
    expect(questions.map(({ stage }) => stage)).toEqual([
      "decompose",
      "paraphrase",
      "writeTool",
      "act",
      "act",
    ]);
    const written = questions.find(({ stage }) => stage === "writeTool");
    expect(written?.input).toMatchObject({
      callable: expect.arrayContaining([expect.objectContaining({ name: "double_number" })]),
    });
  });

  it("fails if no tool can be made for it either, and its parent task is planned again", async () => {
    const { state } = await run({
      plans: {
        [REQUEST]: [
          ["zzz", HALVE],
          [DOUBLE, HALVE],
        ],
      },
      writeTool: () => ({ text: "I cannot." }),
    });
    expect(state).toMatchObject({ status: "solved", answer: "42 and 5" });
    expect(state.edits).toMatchObject([{ outcome: "failed", failures: 3 }]);
    expect(tasksOf(state)[1]?.result).toMatch(
      /^No tool was found for “zzz”\. None could be made: 3 drafts could not be used/,
    );
  });
});

const REVERSE = `
\`\`\`ts
/**
 * Reverse a text.
 * @param text The text to reverse.
 * @returns the text from its last character to its first
 * @example reverse_text("ab") => "ba"
 * @example reverse_text("") => ""
 */
export function reverse_text(text: string): string {
  return text.split("").reverse().join("");
}
\`\`\``;
