import { shorten } from "./terminal.js";
import { callText } from "./callText.js";
import { oneLine } from "../common/errors.js";
import type { GraphState, StateUpdate, Tree, TreeNode } from "../state/state.js";

/** A stage's update, and the state that it changes. */
export interface StageChange {
  change: StateUpdate;
  before: Partial<GraphState>;
}

/** Calls that gave a result which is of no use; that a failed call is of none was told when it failed. */
export function verdictLines({ change, before }: StageChange): string[] {
  return (change.calls ?? []).flatMap((call, index) => {
    const known = before.calls?.[index]?.helpful === false;
    return call.helpful === false && call.error === undefined && !known
      ? [`${callText(call)} did not help`]
      : [];
  });
}

/** Which of two continuations a vote prefers. */
export function voteLines({ change: { tree }, before }: StageChange): string[] {
  const vote = tree?.votes.at(-1);
  if (!tree || !vote || tree.votes.length <= (before.tree?.votes.length ?? 0)) return [];
  const { first, second, winner } = vote;
  if (winner === null) return [`${stepText(tree, first)} or ${stepText(tree, second)}: undecided`];
  const loser = winner === first ? second : first;
  return [`${stepText(tree, winner)} rather than ${stepText(tree, loser)}`];
}

/** Where a search goes on, when that is not below the step at which it was. */
export function agendaLines({ change: { tree }, before }: StageChange): string[] {
  if (!tree || !before.tree || isBelow(tree, before.tree.cursor)) return [];
  return [`goes back to ${stepText(tree, tree.cursor)}`];
}

function isBelow(tree: Tree, ancestor: number): boolean {
  let at: number | null | undefined = tree.cursor;
  while (typeof at === "number" && at !== ancestor) at = nodeOf(tree, at)?.parent;
  return at === ancestor;
}

/** Most characters of an answer by which a step is known. */
const ANSWER_LENGTH = 60;

/** A step by its calls, or by how it ends its branch. */
function stepText(tree: Tree, id: number): string {
  const node = nodeOf(tree, id);
  if (!node || node.parent === null) return "the start";
  if (node.end === "gaveUp") return "giving up";
  if (node.end === "answer") {
    return `the answer “${shorten({ text: oneLine(node.said ?? ""), width: ANSWER_LENGTH })}”`;
  }
  return node.calls.map(({ name, args }) => callText({ tool: name, args })).join(", ");
}

function nodeOf(tree: Tree, id: number): TreeNode | undefined {
  return tree.nodes.find((node) => node.id === id);
}
