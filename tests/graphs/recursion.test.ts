import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MemorySaver } from "@langchain/langgraph";
import { compileGraph } from "../../graphs/compile.js";
import { type GraphId, allGraphs } from "../../graphs/index.js";
import { closeWorkspaces } from "../../home/workspace.js";
import type { GraphState } from "../../state/state.js";
import {
  type Question,
  type Reply,
  type ScriptedModel,
  scriptedModel,
} from "../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";

const graphs = await allGraphs();

/** Farther than any text is from another: every search misses. */
const IMPOSSIBLE = 0.000_001;

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

describe("recursion on miss", () => {
  const id = "cot_tulip";

  it("solves a compound subtask that misses at depth 0 with tools found at depth 1", async () => {
    const model = scriptedModel((question) => {
      if (question.stage === "decompose") {
        return question.input.depth === 0
          ? { subtasks: ["quadruple everything swiftly"] }
          : { subtasks: ["double a number", "double a number again"] };
      }
      if (question.stage === "phraseSearch") return phrasesOfSubtasks(question);
      return doubling(question, 2);
    });
    const state = await run({ id, model });
    expect(state.status).toBe("solved");
    expect(state.calls.map(({ result }) => result)).toEqual([42, 84]);
    expect(state.subtasks.map(({ id: number, depth, status }) => [number, depth, status])).toEqual([
      ["1", 0, "split"],
      ["1.1", 1, "found"],
      ["1.2", 1, "found"],
    ]);
    const misses = state.searches.filter(({ hits }) => hits.length === 0);
    expect(misses).toMatchObject([{ phrase: "quadruple everything swiftly", depth: 0 }]);
    const asked = model.questions.find(({ stage }) => stage === "act");
    expect(asked?.input).toMatchObject({
      steps: ["double a number", "double a number again"],
      missed: [],
    });
  });

  it("tells act which subtasks are still missed at the depth limit", async () => {
    const model = scriptedModel((question) => {
      if (question.stage === "decompose") {
        const { depth, task } = question.input;
        return { subtasks: depth === 0 ? ["double a number", "zzz"] : [`${task} z`] };
      }
      if (question.stage === "phraseSearch") return phrasesOfSubtasks(question);
      return doubling(question, 1);
    });
    const state = await run({ id, model });
    expect(state.status).toBe("solved");
    expect(state.subtasks.at(-1)).toMatchObject({ text: "zzz z z", depth: 2, status: "unserved" });
    const asked = model.questions.find(({ stage }) => stage === "act");
    expect(asked?.input).toMatchObject({
      steps: ["double a number", "zzz z z"],
      missed: ["zzz z z"],
    });
    expect(asked?.messages.map(({ text }) => text).join("\n")).toContain("- zzz z z");
  });

  it("ends unsolved, naming what it looked for, without asking act, when nothing is found", async () => {
    const model = scriptedModel((question) => {
      if (question.stage === "decompose") return { subtasks: [`${question.input.task}!`] };
      if (question.stage === "phraseSearch") return phrasesOfSubtasks(question);
      return new Error("act must not be asked");
    });
    const state = await run({ id, model, settings: { threshold: IMPOSSIBLE } });
    expect(state.status).toBe("unsolved");
    expect(state.answer).toBe("No tool was found for: Double the number 21!!!");
    expect(model.questions.map(({ stage }) => stage)).toEqual([
      "decompose",
      "phraseSearch",
      "decompose",
      "phraseSearch",
      "decompose",
      "phraseSearch",
    ]);
    expect(state.messages.at(-1)?.text).toBe(state.answer);
  });
});

describe("paraphrase on miss in naive_tulip", () => {
  it("searches again in other words, and is told which phrases found nothing", async () => {
    const phrases = ["zzz", "yyy", "double a number"];
    const model = scriptedModel((question) => {
      if (question.stage !== "phraseSearch") return doubling(question, 1);
      const phrase = phrases[question.input.tried.length] ?? "";
      return { searches: [{ subtask: 1, phrase }] };
    });
    const state = await run({ id: "naive_tulip", model });
    expect(state.status).toBe("solved");
    expect(state.searches.map(({ phrase, hits }) => [phrase, hits.length > 0])).toEqual([
      ["zzz", false],
      ["yyy", false],
      ["double a number", true],
    ]);
  });
});

describe("what decomposition is told", () => {
  it.each([
    ["cot_tulip", { style: "plain" }],
    ["informed_cot_tulip", { style: "informed", libraryDescription: "Numbers and greetings" }],
    ["one_shot_cot_tulip", { style: "oneShot" }],
  ] as const)("is, in %s, %j", async (id, told) => {
    const model = scriptedModel([{ text: "" }]);
    await run({ id, model });
    expect(model.questions[0]?.input).toMatchObject(told);
  });

  it("is the names of as many tools as priming asks for in primed_cot_tulip, near or far", async () => {
    const model = scriptedModel([{ text: "" }]);
    await run({
      id: "primed_cot_tulip",
      model,
      settings: { primingTopK: 4, threshold: IMPOSSIBLE },
    });
    const input = model.questions[0]?.input as { toolNames: string[] };
    expect(input.toolNames).toHaveLength(4);
    expect(input.toolNames[0]).toBe("double_number");
  });
});

function phrasesOfSubtasks(question: Question & { stage: "phraseSearch" }): Reply {
  return {
    searches: question.input.subtasks.map((phrase, index) => ({ subtask: index + 1, phrase })),
  };
}

/** Doubles 21 so many times, then stops. */
function doubling(question: Question, times: number): Reply {
  if (question.stage !== "act") return new Error(`${question.stage} must not be asked`);
  const { observations } = question.input;
  if (observations.length === times) return { stop: "Doubled." };
  const value = observations.at(-1)?.result ?? 21;
  return { calls: [{ name: "double_number", args: { value } }] };
}

async function run(options: {
  id: GraphId;
  model: ScriptedModel;
  settings?: Record<string, unknown>;
}): Promise<GraphState> {
  const { id, model, settings } = options;
  const graph = compileGraph(graphs[id].wiring, { name: id, checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: crypto.randomUUID() } };
  const context = { ...TEST_LIBRARY, model: model.spec, ...settings };
  await graph.invoke({ request: "Double the number 21" }, { ...config, context });
  return (await graph.getState(config)).values as GraphState;
}
