import { describe, expect, it } from "vitest";
import { AIMessage } from "@langchain/core/messages";
import { WiringFault } from "../../../common/errors.js";
import { promptOf } from "../../../nodes/shared/question.js";
import { type VoteInput, vote, voteQuestion } from "../../../nodes/searching-steps/vote.js";
import type { GraphState, Tree, TreeNode } from "../../../state/state.js";
import { emptyTree } from "../../../state/searchTree.js";
import { emptyState } from "../../fakes/emptyState.js";
import { type Reply, scriptedModel } from "../../fakes/scriptedModel.js";

function step(id: number, parent: number): TreeNode {
  const call = {
    id: `call_${id}`,
    name: `tool${id}`,
    args: { id },
    observation: `${id}`,
    failed: false,
  };
  return { id, parent, depth: id * 2, text: `Thought ${id}`, calls: [call] };
}

/** The same step as a model is shown it. */
function shown(id: number) {
  return {
    text: `Thought ${id}`,
    calls: [{ name: `tool${id}`, args: { id }, observation: `${id}` }],
  };
}

/** Steps 2 and 3 follow step 1; step 3 is shown first. */
const TREE: Tree = {
  ...emptyTree(),
  nodes: [...emptyTree().nodes, step(1, 0), step(2, 1), step(3, 1)],
  cursor: 1,
  queries: 3,
  ballot: [3, 2],
};

async function cast(reply: Reply, options: { tree?: Tree; settings?: object } = {}) {
  const { tree = TREE, settings } = options;
  const model = scriptedModel([reply]);
  const state: GraphState = emptyState({ tree, run: { id: "run", request: "How many?" } });
  const update = await vote()(state, { context: { model: model.spec, ...settings } });
  return { update, questions: model.questions };
}

describe("vote", () => {
  it("shows the steps that both siblings share, and the siblings as the ballot has them", async () => {
    const { questions } = await cast({ text: '{"reason": "x", "better": "A"}' });
    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatchObject({
      stage: "vote",
      input: { request: "How many?", history: [shown(1)], first: shown(3), second: shown(2) },
    });
  });

  it.each([
    ["A", 3],
    ["B", 2],
  ])("takes %s for the sibling that stands there on the ballot", async (letter, winner) => {
    const { update } = await cast({ text: JSON.stringify({ reason: "x", better: letter }) });
    expect(update).toMatchObject({
      tree: { votes: [{ first: 3, second: 2, winner }], queries: 4, ballot: null },
      usage: { modelCalls: 1 },
    });
  });

  it("keeps earlier votes", async () => {
    const earlier = { first: 2, second: 3, winner: 2 };
    const { update } = await cast({ text: "B" }, { tree: { ...TREE, votes: [earlier] } });
    expect(update).toMatchObject({ tree: { votes: [earlier, { winner: 2 }] } });
  });

  it("counts an empty reply as a vote without a winner", async () => {
    const { update } = await cast({ text: "" });
    expect(update).toMatchObject({ tree: { votes: [{ winner: null }], queries: 4, ballot: null } });
  });

  it("ends the run at a limit without a vote", async () => {
    const tree = { ...TREE };
    const state = emptyState({ tree, usage: { ...emptyState().usage, modelCalls: 1 } });
    const model = scriptedModel([{ text: "A" }]);
    const update = await vote()(state, { context: { model: model.spec, maxModelCalls: 1 } });
    expect(update).toMatchObject({ status: "limit" });
    expect(update).not.toHaveProperty("tree");
  });

  it("cannot be reached with nothing on the ballot", async () => {
    const tree = { ...TREE, ballot: null };
    await expect(cast({ text: "A" }, { tree })).rejects.toThrow(WiringFault);
  });
});

const INPUT: VoteInput = {
  request: "How long is {x} for $1?",
  background: "Today is Monday.",
  earlierTurns: [{ role: "user", text: "Hello" }],
  history: [{ text: "Start.", calls: [] }],
  first: { text: "", calls: [{ name: "measure", args: { of: "$&" }, observation: "3 m" }] },
  second: { text: "Nothing helps.", calls: [{ name: "finish", args: {}, observation: "" }] },
};

function asked(more: Partial<VoteInput> = {}): string[] {
  const { messages } = promptOf(voteQuestion, { input: { ...INPUT, ...more } });
  return messages.map(({ text }) => text);
}

describe("the question of a vote", () => {
  it("shows the request, the common steps, then A and B in the order given, and the background", () => {
    const [system, task] = asked();
    expect(system).toMatch(/Today is Monday\.$/);
    const parts = [
      "Hello",
      INPUT.request,
      "Start.",
      "A\nCall: measure",
      "3 m",
      "B\nThought: Nothing",
    ];
    const places = parts.map((part) => task?.indexOf(part) ?? -1);
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it("mentions no steps if the continuations are the first ones", () => {
    expect(asked({ history: [] })[1]).not.toContain("before both");
  });

  it("cuts observations to the published 1024 characters", () => {
    const second = { text: "", calls: [{ name: "f", args: {}, observation: "x".repeat(5000) }] };
    expect(/x{1000,}/.exec(asked({ second })[1] ?? "")?.[0]).toHaveLength(1024);
  });
});

function letterOf(reply: string) {
  return voteQuestion.read(new AIMessage(reply), INPUT);
}

describe("the letter of a vote", () => {
  it.each([
    ["A", "A"],
    [" b. ", "B"],
    ["**B**", "B"],
    ["Continuation A", "A"],
    ['{"reason": "B fails", "better": "A"}', "A"],
    ['```json\n{"reason": "x", "better": "b"}\n```', "B"],
    ['{"reason": "x", "better": "Continuation B"}', "B"],
    ['{"reason": "cut short", "better": "B', "B"],
    ["A fails at once, so the answer is B", "B"],
    ["Better: A\nB repeats itself.", "A"],
    ["A is better than B", "A"],
    ["B is clearly better. A only repeats a call.", "B"],
    ["Both are poor, but I choose continuation A.", "A"],
    ["The first repeats a call: B", "B"],
  ])("is read from %j as %s", (reply, letter) => {
    expect(letterOf(reply)).toEqual({ value: letter });
  });

  it.each([
    "",
    "   ",
    "Neither of them.",
    "C",
    "A good step needs values from a result.",
    "Both A and B fail.",
    "It brings no more than A",
    '{"better": null}',
  ])("is not to be found in %j", (reply) => {
    expect(letterOf(reply)).toEqual({ value: undefined });
  });
});
