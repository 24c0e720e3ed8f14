import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GraphId, graphs } from "../../graphs/index.js";
import { closeResources } from "../../resources/resources.js";
import type { GraphState } from "../../state/state.js";
import { type Question, type Reply, scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";

beforeAll(importTestLibrary);
afterAll(closeResources);

const DOUBLE = { name: "double_number", args: { value: 21 } };

describe("an answer that was planned before anything ran", () => {
  it.each([
    ["The double of 21 is 24.", "The double of 21 is 42."],
    ["24", "42"],
    ["It is $$STEP[1].", "It is 42."],
    ["It is [result of step 1].", "It is 42."],
  ])("%j has its guess replaced by the one result, without the model", async (answer, wanted) => {
    const { result, stages } = await solve("tulip", [planned(answer)]);
    expect(result).toMatchObject({ status: "solved", answer: wanted });
    expect(stages).toEqual(["compose"]);
  });

  it.each([
    ["The double is 24, or 25.", /holds 24; 25, which neither the request nor a result gives/],
    ["The double is $$PREV[0] - 865.", /\$\$PREV\[0\] stands in a calculation/],
    ["Here it is.", /tells nothing of the results/],
  ])("%j is put into words by someone who sees the result", async (answer, left) => {
    const { result, stages, questions } = await solve("tulip", [
      planned(answer),
      { stop: "It is 42." },
    ]);
    expect(result).toMatchObject({ status: "solved", answer: "It is 42." });
    expect(stages).toEqual(["compose", "act"]);
    expect(questions[1]?.input).toMatchObject({ plan: { left: expect.stringMatching(left) } });
  });

  it("says nothing that nobody gave it where no step was planned", async () => {
    const guess = { text: JSON.stringify({ steps: [], answer: "It is 24.", lacking: [] }) };
    const { result, stages } = await solve("tulip", [
      guess,
      { calls: [DOUBLE] },
      { stop: "It is 42." },
    ]);
    expect(result).toMatchObject({ status: "solved", answer: "It is 42." });
    expect(stages).toEqual(["compose", "act", "act"]);
  });
});

describe("an answer that holds what comes from nowhere twice", () => {
  it("gives the one result in its place", async () => {
    const { result } = await solve("naive_tool", [{ calls: [DOUBLE] }, { stop: "It is 24 cm." }]);
    expect(result).toMatchObject({ status: "solved", answer: "It is 42 cm." });
  });

  it("is not solved with the one result where a number of the request went into no call", async () => {
    const replies: Reply[] = [{ calls: [DOUBLE] }, { stop: "It is 24." }];
    const { result } = await solve("naive_tool", replies, "Double 21 and add 865");
    expect(result.status).toBe("unsolved");
    expect(result.answer).toMatch(/\b42\b/);
  });

  it("tells the results beside words that say nothing of them", async () => {
    const promise = { stop: "I will now compute the result." };
    const { result, stages } = await solve("naive_tool", [{ calls: [DOUBLE] }, promise]);
    expect(stages).toEqual(["act", "act", "act"]);
    expect(result.answer).toMatch(/\b42\b/);
  });

  it("gives all results, and is not solved, where there are several", async () => {
    const { result } = await solve("naive_tool", [
      { calls: [DOUBLE, { name: "greet", args: { person: "Ana" } }] },
      { stop: "It is 24." },
    ]);
    expect(result.status).toBe("unsolved");
    expect(result.answer).toMatch(/double_number \(value: 21\): 42; greet \(person: Ana\): Hello/);
  });

  it("is marked as such, and is not solved, where no tool was called", async () => {
    const { result, stages } = await solve("naive_tool", [{ stop: "It is 24." }]);
    expect(stages).toEqual(["act", "act"]);
    expect(result).toMatchObject({ status: "unsolved", calls: [] });
    expect(result.answer).toMatch(/confirms/);
  });

  it("is no matter where there are no tools at all", async () => {
    const { result, stages } = await solve("base", [{ text: "It is 24." }]);
    expect(result).toMatchObject({ status: "solved", answer: "It is 24." });
    expect(stages).toEqual(["act"]);
  });
});

it("takes stop without a call for a deliberate answer", async () => {
  const { result, stages } = await solve(
    "naive_tool",
    [{ stop: "Hello! What can I do?" }],
    "Hello",
  );
  expect(result).toMatchObject({ status: "solved", answer: "Hello! What can I do?" });
  expect(stages).toEqual(["act"]);
});

describe("a search over steps", () => {
  it.each(["react", "dfsdt"] as const)("%s keeps the answer of its branch", async (id) => {
    const { result, stages } = await solve(id, [{ calls: [DOUBLE] }, { finish: "42 it is." }]);
    expect(result).toMatchObject({ status: "solved", answer: "42 it is." });
    expect(stages).toEqual(["act", "act"]);
  });

  it("is not solved where its answer leaves out a part", async () => {
    const final_answer = "42; the rest cannot be done.";
    const args = { return_type: "give_answer", final_answer, solved: false };
    const { result } = await solve("react", [
      { calls: [DOUBLE] },
      { calls: [{ name: "finish", args }] },
    ]);
    expect(result).toMatchObject({ status: "unsolved", answer: final_answer });
  });

  it("has what it found put into words where no branch came to an answer", async () => {
    const { result, stages } = await solve("react", ({ stage, input }) => {
      if (stage === "summarize") return { text: '{"answer": "The double is 42."}' };
      const isDone = stage === "act" && input.observations.length > 0;
      return isDone ? { giveUp: "It leads nowhere." } : { calls: [DOUBLE] };
    });
    expect(result).toMatchObject({ status: "unsolved", answer: "The double is 42." });
    expect(stages.at(-1)).toBe("summarize");
  });
});

/** A plan of one call, with an answer. */
function planned(answer: string): Reply {
  const steps = [{ tool: DOUBLE.name, args: DOUBLE.args }];
  return { text: JSON.stringify({ steps, answer, lacking: [] }) };
}

async function solve(
  id: GraphId,
  replies: Reply[] | ((question: Question) => Reply),
  request = "Double the number 21",
) {
  const model = scriptedModel(replies);
  const context = { ...TEST_LIBRARY, model: model.spec };
  const result = (await graphs[id].graph.invoke({ request }, { context })) as GraphState;
  const { questions } = model;
  return { result, questions, stages: questions.map(({ stage }) => stage) };
}
