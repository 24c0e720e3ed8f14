import { z } from "zod";
import { jsonObject } from "../../models/chat/reply.js";
import { readSettings } from "../../state/settings.js";
import type { Tree, TreeNode } from "../../state/state.js";
import { asAttempt, pathTo, type Attempt } from "../../state/searchTree.js";
import { attemptText, earlierTurnsText } from "../kit/promptTexts.js";
import { needed, type Line, type StageChange, stage } from "../kit/stage.js";
import { type Question, askFor } from "../kit/question.js";
import { replyForm } from "../kit/replyForm.js";
import { runBasics } from "../kit/runBasics.js";
import type { RunBasics } from "../kit/stageInputs.js";
import { stepText } from "./agenda.js";

export interface VoteInput extends RunBasics {
  history: Attempt[];
  first: Attempt;
  second: Attempt;
}

/**
 * Asks which of two continuations of the same work is better (pairwise comparison of ToT-DFS in BTP). Callers
 * ask twice, in both orders, since models favour a position. The reason comes first so that the verdict follows
 * from it. A reply that names neither is a vote without a winner and is not asked for again.
 */
export const voteQuestion: Question<"vote", VoteInput, "A" | "B" | undefined> = {
  stage: "vote",
  once: true,
  form: replyForm(
    z.object({
      reason: z.string().describe("In one or two sentences, what tells them apart"),
      better: z.enum(["A", "B"]).describe("The better continuation"),
    }),
  ),
  instructions: () => [
    "Which of two continuations, A or B, brings an agent with tools closer to a complete and correct answer?",
    "In favour: results that contain more of what is asked or help the next step. Against: errors, empty results, repeated calls, invented values and giving up too early. Length and order do not count. Judge each as if the other did not exist. If they are equal, name either.",
  ],
  task: ({ request, earlierTurns, history, first, second }) => [
    earlierTurnsText(earlierTurns),
    `Request: ${request}`,
    history.length > 0 && "The steps before both continuations:",
    ...history.map((step, at) => `Step ${at + 1}\n${continuationText(step)}`),
    `Continuation A\n${continuationText(first)}`,
    `Continuation B\n${continuationText(second)}`,
  ],
  read: ({ text }) => ({ value: readLetter(text) }),
  // Of equals the first, so that asking in both orders gives each half a point.
  byRules: async ({ first, second }) => {
    const [a, b] = [failures(first), failures(second)];
    const reason = `${a} and ${b} calls failed or gave up.`;
    return { text: JSON.stringify({ reason, better: a > b ? "B" : "A" }) };
  },
};

function failures({ calls }: Attempt): number {
  return calls.filter(
    ({ args, observation }) =>
      args["return_type"] === "give_up_and_restart" || /^\w*Error: /.test(observation),
  ).length;
}

function continuationText(step: Attempt): string {
  return attemptText(step) || "(nothing)";
}

/**
 * Asks a model which of two siblings is better, in the ballot's order (ToT; pairwise, as in BTP). (The
 * published code takes the reply's last character as the letter and fails on an empty reply.)
 */
export function vote() {
  return stage({ ends: true, lines }, async (state, config) => {
    const tree = needed(state.tree, { stage: "vote", what: "a search over steps" });
    const [first, second] = needed(siblingsOn(tree), { stage: "vote", what: "a ballot" });
    const settings = readSettings(config);
    const input: VoteInput = {
      ...runBasics(state, settings),
      history: pathTo(tree, first.parent ?? 0).map(asAttempt),
      first: asAttempt(first),
      second: asAttempt(second),
    };
    const answer = await askFor(voteQuestion, { state, settings, config, input });
    if ("end" in answer) return answer.end;
    const { value: letter, asked } = answer;
    const winner = letter === undefined ? null : (letter === "A" ? first : second).id;
    const cast = { first: first.id, second: second.id, winner };
    return {
      tree: { ...tree, votes: [...tree.votes, cast], queries: tree.queries + 1, ballot: null },
      ...asked,
    };
  });
}

function siblingsOn({ ballot, nodes }: Tree): [TreeNode, TreeNode] | undefined {
  const [first, second] = (ballot ?? []).map((id) => nodes[id]);
  return first && second ? [first, second] : undefined;
}

/** The letter that a reply gives or ends with, if any; "… than A" at the end names the one that is not meant. */
const LETTER = /(?<!\b(?:than|over)\b[^.]*)\b([AB])\W*$/i;

function readLetter(reply: string): "A" | "B" | undefined {
  const stated: unknown = jsonObject(reply)?.["better"];
  const letter = LETTER.exec(typeof stated === "string" ? stated : reply)?.[1]?.toUpperCase();
  return letter === "A" || letter === "B" ? letter : undefined;
}

function lines({ change: { tree }, before }: StageChange): Line[] {
  const vote = tree?.votes.at(-1);
  if (!tree || !vote || tree.votes.length <= (before.tree?.votes.length ?? 0)) return [];
  const [first, second] = [stepText(tree, vote.first), stepText(tree, vote.second)];
  if (vote.winner === null) return [[...first, " or ", ...second, ": undecided"]];
  const [winner, loser] = vote.winner === vote.first ? [first, second] : [second, first];
  return [[...winner, " rather than ", ...loser]];
}
