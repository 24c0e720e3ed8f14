import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { jsonObject } from "../../models/reply.js";
import type { VoteInput } from "../shared/stageInputs.js";
import { votePrompt } from "./votePrompt.js";
import { readContext } from "../../state/context.js";
import type { GraphState, StateUpdate, Tree, TreeNode } from "../../state/state.js";
import { asAttempt, pathTo } from "../../state/tree.js";
import { askModel } from "../shared/askModel.js";
import { situation } from "../shared/situation.js";

/**
 * Asks a model which of the two siblings on the ballot is better, in the order in which the ballot
 * names them (ToT; pairwise, as in BTP). A reply that names neither is a vote without a winner, and
 * is not asked for again. (The published code takes the last character of the reply for the letter,
 * and fails on an empty one.)
 */
export async function vote(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<StateUpdate> {
  const { tree } = state;
  const pair = siblingsOn(tree);
  // Routers lead here with a ballot only.
  if (!tree || !pair) return {};
  const [first, second] = pair;
  const context = readContext(config);
  const input: VoteInput = {
    ...situation({ state, context }),
    history: pathTo(tree, first.parent ?? 0).map(asAttempt),
    first: asAttempt(first),
    second: asAttempt(second),
  };
  const asked = await askModel(state, { prompt: votePrompt(input), context, config });
  if ("end" in asked) return asked.end;
  const letter = readLetter(asked.reply.text);
  const winner = letter === undefined ? null : (letter === "A" ? first : second).id;
  const cast = { first: first.id, second: second.id, winner };
  return {
    tree: { ...tree, votes: [...tree.votes, cast], queries: tree.queries + 1, ballot: null },
    usage: asked.usage,
  };
}

function siblingsOn(tree: Tree | null): [TreeNode, TreeNode] | undefined {
  const [first, second] = (tree?.ballot ?? []).map((id) => tree?.nodes[id]);
  return first && second ? [first, second] : undefined;
}

/** Ways to name the better one, the surest first; where a way is used twice, the last one counts. */
const VERDICTS = [
  /^\W*(?:continuation\W+)?([ab])\W*$/gi,
  /\b([AB])["'*)]*\s+is\s+(?:(?:clearly|much|slightly|the)\s+)*better\b/g,
  /\b(?:[Bb]etter|[Bb]est|[Vv]erdict|[Aa]nswer|[Ww]inner|[Cc]hoice|[Cc]hoose|[Pp]refer)["'*:=\s]*(?:is["'*:\s]+)?(?:[Cc]ontinuation["'*\s]+)?([AB])\b/g,
  // "… than A" at the end names the one that is not meant.
  /(?<!\b(?:than|over)\b[^.]*)\b([AB])\W*$/g,
];

/** The letter that a reply names; undefined for none. */
export function readLetter(reply: string): "A" | "B" | undefined {
  const stated: unknown = jsonObject(reply)?.["better"];
  const text = typeof stated === "string" ? stated : reply;
  for (const form of VERDICTS) {
    const letter = [...text.matchAll(form)].at(-1)?.[1]?.toUpperCase();
    if (letter === "A" || letter === "B") return letter;
  }
  return undefined;
}
