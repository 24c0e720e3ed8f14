import { AIMessage, type BaseMessage, RemoveMessage, ToolMessage } from "@langchain/core/messages";
import { REMOVE_ALL_MESSAGES } from "@langchain/langgraph";
import { clipped } from "../../common/text.js";
import { oneLine } from "../../common/errors.js";
import { callParts } from "../policy/callTexts.js";
import { OBSERVATION_LENGTH, cutObservation } from "../../state/calls.js";
import { type Settings, readSettings } from "../../state/settings.js";
import { splitConversation } from "../../state/history.js";
import type { GraphState, StateUpdate, Tree, TreeNode } from "../../state/state.js";
import { branchMessages, emptyTree, pathTo } from "../../state/searchTree.js";
import { SEARCH_LIBRARY } from "../../tools/control.js";
import { branchEnd } from "../acting/readReply.js";
import { tellsNothing } from "../acting/emptyAnswer.js";
import { groundedAnswer, knownTo } from "../policy/grounding.js";
import { isWorkDone } from "../acting/groundReply.js";
import { offeredTools } from "../policy/offeredTools.js";
import { shortLedger, type ToolOffer, writesIn } from "../policy/toolOffer.js";
import { type Line, type LinePart, type StageChange, stage } from "../kit/stage.js";

/**
 * Steers a step search (ReAct, DFSDT, ToT by their shapes; Qin et al. 2023, Yao et al. 2023): records the step just
 * made, and decides where the model is asked next, what is voted on, or how the run ends. An explicit agenda lets any
 * checkpoint be continued. Backtracking sets `messages` to those of the new branch; calls and their cost stay.
 *
 * Once no tool is left to call, the model is asked to finish, once, with `finish` alone. (In the published code such a
 * run stops before the model can answer.)
 */
export function agenda(shape: SearchShape) {
  return stage({ ends: true, lines }, async (state, config) => {
    const settings = readSettings(config);
    const { tree, step } = withLastStep(state);
    const scene = { state, settings, tree, at: step?.id ?? tree.cursor };
    if (tree.queries >= shape.maxQueries) return ended({ ...scene, by: "queries" });
    if (tree.closing) {
      return step?.end === "answer"
        ? answered({ ...scene, node: step.id })
        : ended({ ...scene, by: "nothing to call" });
    }
    const mayGoOn = step ? !step.end : tree.queries === 0;
    if (mayGoOn && (await nothingToCall(state, settings)))
      return lead({ ...scene, tree: { ...tree, closing: true }, node: scene.at });
    const moved = advance(tree, shape);
    return move({ ...scene, tree: moved.tree }, moved.next);
  });
}

/** The state of a search: `at` is the node whose branch the conversation shows. */
interface Scene {
  state: GraphState;
  settings: Settings;
  tree: Tree;
  at: number;
}

function move(scene: Scene, next: NextMove): StateUpdate | Promise<StateUpdate> {
  if (next.kind === "vote")
    return { tree: { ...scene.tree, cursor: scene.at, ballot: next.ballot } };
  if (next.kind === "exhausted") return ended({ ...scene, by: "steps" });
  const there = { ...scene, node: next.node };
  return next.kind === "ask" ? lead(there) : answered(there);
}

/** Adds what was said and done since the last visit as a step under the cursor. */
function withLastStep(state: GraphState): { tree: Tree; step?: TreeNode } {
  const tree = state.tree ?? emptyTree();
  const { since } = splitConversation(state);
  const known = branchMessages({ tree, node: tree.cursor, runId: state.run.id }).length;
  const [reply, ...answers] = since.slice(known);
  if (!AIMessage.isInstance(reply)) return { tree };
  const step = toNode(tree, reply, answers);
  const grown = {
    ...tree,
    nodes: [...tree.nodes, step],
    queries: tree.queries + 1,
    agenda: tree.agenda.map((frame) =>
      frame.node === tree.cursor ? { ...frame, children: [...frame.children, step.id] } : frame,
    ),
  };
  return { tree: grown, step };
}

/**
 * A thought, an action and its input count one each (published depth). A search for tools is not an action: the
 * published searches had their tools from the start, and looking for one makes the way to an answer no longer.
 */
function toNode(tree: Tree, reply: AIMessage, answers: BaseMessage[]): TreeNode {
  const text = reply.text.trim();
  const calls = (reply.tool_calls ?? []).map(({ id = "", name, args }) => {
    const answer = answers.find(
      (message) => ToolMessage.isInstance(message) && message.tool_call_id === id,
    );
    return {
      id,
      name,
      args,
      observation: cutObservation(answer?.text ?? ""),
      failed: ToolMessage.isInstance(answer) && answer.status === "error",
    };
  });
  const parent = tree.nodes[tree.cursor];
  return {
    id: tree.nodes.length,
    parent: tree.cursor,
    depth:
      (parent?.depth ?? 0) +
      (text ? 1 : 0) +
      (calls.some(({ name }) => name !== SEARCH_LIBRARY.name) ? 2 : 0),
    text,
    calls,
    ...(answers.length === 0 ? branchEnd(reply) : {}),
  };
}

async function nothingToCall(state: GraphState, settings: Settings): Promise<boolean> {
  // Without a budget that holds, tools are neither forbidden nor useless.
  if (!state.ledger?.enforced) return false;
  return (await offeredTools(state, settings)).offered.size === 0;
}

/** A branch's answer becomes the run's, unless it contains unsupported values. */
async function answered(scene: Scene & { node: number }): Promise<StateUpdate> {
  const { state, settings, tree, node } = scene;
  const { said = "", solved, noToolNeeded, calls: ending } = tree.nodes[node] ?? { calls: [] };
  const made = new Set(pathTo(tree, node).flatMap(({ calls }) => calls.map(({ id }) => id)));
  const calls = state.calls.filter(({ id }) => made.has(id));
  const offer = await offeredTools(state, settings);
  const inWords = ending.length === 0;
  // Whether anything was called at all is left to `respond`.
  const isElsewhere = isWorkDone(state, state.calls) && !isWorkDone(state, calls);
  const isHasty = inWords && offer.offered.size > 0 && isElsewhere;
  const isSilent = inWords && tellsNothing(said, calls, writesIn(offer));
  const known = knownTo(state, settings);
  const claimed = solved !== false && !isHasty && !isSilent;
  const grounded = groundedAnswer({ state, calls, answer: said, known, claimed, inWords });
  const status = noToolNeeded ? ("answered" as const) : ("solved" as const);
  const end = grounded.solved ? { status } : short(state, offer);
  return { ...lead(scene), ...end, answer: grounded.answer };
}

function short(state: GraphState, offer: ToolOffer): StateUpdate {
  const ledger = shortLedger(state, offer);
  return ledger ? { status: "budget", ledger } : { status: "unsolved" };
}

/** Moves the search to a node, and the conversation to its branch if it shows another. */
function lead({ state, tree, at, node }: Scene & { node: number }): StateUpdate {
  const moved = { tree: { ...tree, cursor: node, ballot: null } };
  const { earlier, since } = splitConversation(state);
  if (node === at) return { ...moved, messages: since.flatMap(withoutExcess) };
  const branch = branchMessages({ tree, node, runId: state.run.id });
  const cleared = new RemoveMessage({ id: REMOVE_ALL_MESSAGES });
  return { ...moved, messages: [cleared, ...earlier, ...branch] };
}

/** Cuts a long observation, as published; the journal keeps results whole. */
function withoutExcess(message: BaseMessage): ToolMessage[] {
  if (!ToolMessage.isInstance(message) || message.text.length <= OBSERVATION_LENGTH) return [];
  const { id, tool_call_id, name, status, text } = message;
  return [new ToolMessage({ id, tool_call_id, name, status, content: cutObservation(text) })];
}

const WHY = {
  queries: "The search used up its model calls without an answer.",
  steps: "The search found no answer.",
  "nothing to call": "No tool is left to call.",
};

/** The end of a search without an answer; `summarize` still reports what its calls found. */
async function ended(scene: Scene & { by: keyof typeof WHY }): Promise<StateUpdate> {
  const { state, tree, at, by, settings } = scene;
  // Siblings to be voted on may include an answer that the search did not get to.
  const answer = tree.nodes.find(({ end }) => end === "answer");
  if (answer) return answered({ ...scene, node: answer.id });
  const said = tree.nodes.findLast(({ end }) => end === "gaveUp")?.said;
  const offer = await offeredTools(state, settings);
  return {
    ...(by === "queries" ? { status: "limit" } : short(state, offer)),
    answer: [WHY[by], said].filter(Boolean).join(" "),
    tree: { ...tree, cursor: at, ballot: null },
  };
}

function lines({ change: { tree }, before }: StageChange): Line[] {
  if (!tree || !before.tree || isBelow(tree, before.tree.cursor)) return [];
  return [["goes back to ", ...stepText(tree, tree.cursor)]];
}

function isBelow({ nodes, cursor }: Tree, ancestor: number): boolean {
  let at: number | null | undefined = cursor;
  while (typeof at === "number" && at !== ancestor) at = nodes[at]?.parent;
  return at === ancestor;
}

const LONGEST_ANSWER = 60;

/** A step on one line for a person: its calls, or how it ends its branch. */
export function stepText({ nodes }: Tree, id: number): LinePart[] {
  const node = nodes[id];
  if (!node || node.parent === null) return ["the start"];
  if (node.end === "gaveUp") return ["giving up"];
  if (node.end === "answer")
    return [`the answer “${clipped(oneLine(node.said ?? ""), LONGEST_ANSWER)}”`];
  return node.calls.flatMap(({ name: tool, args }, at) => [
    ...(at > 0 ? [", "] : []),
    ...callParts({ tool, args }),
  ]);
}

export interface SearchShape {
  /** Steps tried at each node: 1 makes a chain (ReAct). */
  width: number;
  /** Whether all siblings are made first, then followed in the order of a vote (ToT). */
  vote: boolean;
  /** Nodes this deep are not followed further; a thought, an action and its input count one each. */
  maxDepth: number;
  /** Model calls (steps and votes) after which the search ends. */
  maxQueries: number;
}

type NextMove =
  | { kind: "ask"; node: number }
  | { kind: "vote"; ballot: [number, number] }
  | { kind: "answer"; node: number }
  | { kind: "exhausted" };

type Frame = Tree["agenda"][number];

/**
 * How many levels back an ended branch leads, as published: giving up skips the siblings of the previous step
 * too, a branch that is too deep only itself.
 */
const LEVELS_BACK = { gaveUp: 2, tooDeep: 1, done: 1 };

/** Follows the agenda to the next thing a model must do (depth first; ToolBench's DFS as a loop). */
export function advance(tree: Tree, shape: SearchShape): { tree: Tree; next: NextMove } {
  const search: Search = { tree, shape, frames: [...tree.agenda], back: 0 };
  let next: NextMove | undefined;
  while (!next) next = moveOn(search);
  return { tree: { ...search.tree, agenda: search.frames }, next };
}

interface Search {
  tree: Tree;
  shape: SearchShape;
  /** The innermost is the last. */
  frames: Frame[];
  /** Levels back that the last ended branch leads. */
  back: number;
}

function moveOn(search: Search): NextMove | undefined {
  const { frames, shape } = search;
  const frame = frames.at(-1);
  if (!frame) return { kind: "exhausted" };
  if (search.back > 1) {
    frames.pop();
    search.back -= 1;
    return undefined;
  }
  search.back = 0;
  const wanted = frame.children.length < shape.width;
  if (shape.vote && wanted && frame.followed === 0) return { kind: "ask", node: frame.node };
  const ballot = shape.vote ? nextBallot(search, frame) : undefined;
  if (ballot) return { kind: "vote", ballot };
  return follow(search, shape.vote ? ranked(search, frame) : frame);
}

/** Goes to the next child, asks for one more, or leaves the node. */
function follow(search: Search, frame: Frame): NextMove | undefined {
  const { frames, shape } = search;
  const child = frame.children[frame.followed];
  if (child === undefined) {
    if (!shape.vote && frame.children.length < shape.width)
      return { kind: "ask", node: frame.node };
    frames.pop();
    search.back = LEVELS_BACK.done;
    return undefined;
  }
  frames[frames.length - 1] = { ...frame, followed: frame.followed + 1 };
  return enter(search, child);
}

function enter(search: Search, id: number): NextMove | undefined {
  const node = search.tree.nodes[id];
  if (node?.end === "answer") return { kind: "answer", node: id };
  if (node?.end === "gaveUp") search.back = LEVELS_BACK.gaveUp;
  else if ((node?.depth ?? 0) >= search.shape.maxDepth) search.back = LEVELS_BACK.tooDeep;
  else search.frames.push({ node: id, children: [], followed: 0 });
  return undefined;
}

/** The next pair of siblings to compare; every pair is shown in both orders. */
function nextBallot({ tree }: Search, { children }: Frame): [number, number] | undefined {
  if (children.every((id) => tree.nodes[id]?.points !== undefined)) return undefined;
  const pairs = children.flatMap((first) =>
    children
      .filter((second) => second !== first)
      .map((second): [number, number] => [first, second]),
  );
  return pairs.find(
    ([first, second]) => !tree.votes.some((vote) => vote.first === first && vote.second === second),
  );
}

/** The frame with its children ordered by points; ties keep creation order. */
function ranked(search: Search, frame: Frame): Frame {
  const { tree, frames } = search;
  if (frame.followed > 0 || tree.votes.length === 0) return frame;
  const points = new Map(frame.children.map((id) => [id, pointsOf(tree, frame, id)]));
  const scored = (node: TreeNode): TreeNode =>
    points.has(node.id) ? { ...node, points: points.get(node.id) } : node;
  search.tree = { ...tree, votes: [], nodes: tree.nodes.map(scored) };
  const children = frame.children.toSorted((a, b) => (points.get(b) ?? 0) - (points.get(a) ?? 0));
  const inOrder = { ...frame, children };
  frames[frames.length - 1] = inOrder;
  return inOrder;
}

/** A sibling that wins in both orders gets a point; if the verdicts differ, each gets half. */
function pointsOf({ votes }: Tree, { children }: Frame, id: number): number {
  return children
    .filter((other) => other !== id)
    .reduce((sum, other) => {
      const winners = votes
        .filter(({ first, second }) => [first, second].every((one) => one === id || one === other))
        .map(({ winner }) => winner);
      if (winners.every((winner) => winner === id)) return sum + 1;
      return winners.every((winner) => winner === other) ? sum : sum + 1 / 2;
    }, 0);
}
