import { describe, expect, it } from "vitest";
import { stageLines } from "../../../cli/runs/printRun.js";
import type { Stage } from "../../../nodes/shared/stage.js";
import { judge } from "../../../nodes/acting/judge.js";
import { agenda } from "../../../nodes/searching-steps/agenda.js";
import { summarize } from "../../../nodes/searching-steps/summarize.js";
import { vote } from "../../../nodes/searching-steps/vote.js";
import type { Call, GraphState, StateUpdate, Tree } from "../../../state/state.js";

const STAGES: Record<string, Stage> = {
  judge: judge(),
  vote: vote(),
  agenda: agenda({ width: 2, vote: true, maxDepth: 8, maxQueries: 30 }),
  summarize: summarize(),
};

function lines(node: string, change: StateUpdate, before: Partial<GraphState> = {}): string[] {
  return stageLines({ stage: STAGES[node], change, before });
}

describe("a verdict", () => {
  const call: Call = { id: "1", tool: "near", args: { place: "here" }, ms: 1, cost: 4 };

  it("is shown once for a call that returned a result and did not help", () => {
    const useless = { ...call, result: "?", helpful: false };
    const change = { calls: [useless, { ...call, helpful: true }] };
    const before = { calls: [call, call] };
    expect(lines("judge", change, before)).toEqual(['near(place="here") did not help']);
    expect(lines("judge", change, { calls: [useless, call] })).toEqual([]);
  });

  it("is not shown for a call that failed, which was reported before", () => {
    expect(lines("judge", { calls: [{ ...call, error: "broken", helpful: false }] })).toEqual([]);
  });
});

const ROOT: Tree["nodes"][number] = { id: 0, parent: null, depth: 0, text: "", calls: [] };

/** A chain 0–1–2 and a sibling 3 of 2. */
const TREE: Tree = {
  nodes: [ROOT, step(1, 0, "one"), step(2, 1, "two"), step(3, 1, "three")],
  agenda: [],
  cursor: 2,
  queries: 3,
  ballot: null,
  closing: false,
  votes: [],
};

function step(id: number, parent: number, name: string): Tree["nodes"][number] {
  const call = { id: name, name, args: { at: id }, observation: "", failed: false };
  return { id, parent, depth: 2 * id, text: "", calls: [call] };
}

/** What is shown of a vote between two of the steps. */
function voted(winner: number | null): string[] {
  const tree = { ...TREE, votes: [{ first: 2, second: 3, winner }] };
  return lines("vote", { tree }, { tree: TREE });
}

describe("a search over steps", () => {
  it("says where it continues when it backtracks", () => {
    const before = { tree: TREE };
    expect(lines("agenda", { tree: { ...TREE, cursor: 0 } }, before)).toEqual([
      "goes back to the start",
    ]);
    expect(lines("agenda", { tree: { ...TREE, cursor: 1 } }, before)).toEqual([
      "goes back to one(at=1)",
    ]);
  });

  it("says nothing when it continues below the last step, or begins", () => {
    const change = { tree: TREE };
    expect(lines("agenda", change, { tree: { ...TREE, cursor: 1 } })).toEqual([]);
    expect(lines("agenda", change, { tree: TREE })).toEqual([]);
    expect(lines("agenda", change, {})).toEqual([]);
  });

  it("says why it ends without an answer", () => {
    const change: StateUpdate = { status: "budget", answer: "No tool is\nleft.", tree: TREE };
    expect(lines("agenda", change, { tree: TREE })).toEqual(["No tool is left."]);
  });

  it("says which of two steps a vote prefers, or that it is undecided", () => {
    expect(voted(3)).toEqual(["three(at=3) rather than two(at=2)"]);
    expect(voted(2)).toEqual(["two(at=2) rather than three(at=3)"]);
    expect(voted(null)).toEqual(["two(at=2) or three(at=3): undecided"]);
  });

  it("knows a step that ends its branch by its end", () => {
    const nodes = TREE.nodes.map((node): Tree["nodes"][number] => {
      if (node.id === 2) return { ...node, end: "gaveUp", said: "nothing works" };
      return node.id === 3 ? { ...node, end: "answer", said: "It is\n42." } : node;
    });
    const tree = { ...TREE, nodes, votes: [{ first: 2, second: 3, winner: 3 }] };
    expect(lines("vote", { tree }, { tree: TREE })).toEqual([
      "the answer “It is 42.” rather than giving up",
    ]);
  });

  it("says that the answer is rewritten, if it is", () => {
    expect(lines("summarize", { answer: "42" })).toEqual(["writes the answer from what was found"]);
    expect(lines("summarize", {})).toEqual([]);
  });
});
