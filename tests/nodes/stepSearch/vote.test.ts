import { describe, expect, it } from "vitest";
import { AIMessage } from "@langchain/core/messages";
import { type VoteInput, vote, voteQuestion } from "../../../nodes/stepSearch/vote.js";
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

  it("counts an empty reply as a vote without a winner", async () => {
    const { update } = await cast({ text: "" });
    expect(update).toMatchObject({ tree: { votes: [{ winner: null }], queries: 4, ballot: null } });
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
    ["Both are poor, but I choose continuation A.", "A"],
    ["The first repeats a call: B", "B"],
  ])("is read from %j as %s", (reply, letter) => {
    expect(letterOf(reply)).toEqual({ value: letter });
  });

  it.each(["", "   ", "Neither of them.", "C", "It brings no more than A", '{"better": null}'])(
    "is not to be found in %j",
    (reply) => {
      expect(letterOf(reply)).toEqual({ value: undefined });
    },
  );
});
