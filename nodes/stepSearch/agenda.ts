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
import { type NextMove, type SearchShape, advance } from "./advance.js";
import { branchEnd } from "../acting/readReply.js";
import { tellsNothing } from "../acting/emptyAnswer.js";
import { groundedAnswer, knownTo } from "../policy/grounding.js";
import { isWorkDone } from "../acting/groundReply.js";
import { offeredTools } from "../policy/offeredTools.js";
import { shortLedger, type ToolOffer, writesIn } from "../policy/toolOffer.js";
import { type Line, type LinePart, type StageChange, stage } from "../kit/stage.js";

export type { SearchShape } from "./advance.js";

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
