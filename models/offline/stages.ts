import { isDeepStrictEqual } from "node:util";
import { counted } from "../../common/bounds.js";
import type {
  DecomposeInput,
  PhraseSearchInput,
  Stage,
  StageInputs,
} from "../../nodes/shared/stageInputs.js";
import { SEARCH_TOOLS } from "../../tools/control.js";
import { replyToAct } from "./acting.js";
import { splitRequest } from "./clauses.js";
import { CANNOT_WRITE } from "./keeping.js";
import { labelled, withoutLabel } from "./labels.js";
import type { Reply } from "./message.js";
import { splitSubtask, splitTask } from "./numbering.js";
import { searchPhrases } from "./phrases.js";
import { replyToAggregate, replyToSummarize } from "./summary.js";
import { replyToJudge, replyToVote } from "./verdicts.js";

/** Characters of a request; the rules go over it again and again, and a longer one is no list of tasks. */
const LONGEST_READ = 4000;

const CANNOT_LOOK =
  "I cannot answer this: the offline planner does not judge what a value means. Choose a language model.";

/** What the planner replies at a stage. */
export async function replyTo(
  stage: string,
  input: object,
  byRules?: () => Promise<Reply>,
): Promise<Reply> {
  if ("request" in input && String(input.request).length > LONGEST_READ)
    return tooLong(String(input.request));
  if (byRules) return byRules();
  const decide: { [K in Stage]?: (input: StageInputs[K]) => Promise<Reply> } = {
    decompose: replyToDecompose,
    phraseSearch: replyToPhraseSearch,
    act: replyToAct,
    judge: replyToJudge,
    vote: replyToVote,
    summarize: replyToSummarize,
    aggregate: replyToAggregate,
    writeTool: async () => ({ text: CANNOT_WRITE, refusal: true }),
    look: async () => ({ text: CANNOT_LOOK, refusal: true }),
  };
  const reply = decide[stage as Stage] as ((input: object) => Promise<Reply>) | undefined;
  return reply ? reply(input) : { text: CANNOT_LOOK, refusal: true };
}

function tooLong({ length }: string): Reply {
  const text = `I cannot answer this: the offline planner reads requests of at most ${counted(LONGEST_READ)} characters, and this one has ${counted(length)}. Choose a language model, or ask for less at once.`;
  return { text, refusal: true };
}

async function replyToDecompose(input: DecomposeInput): Promise<Reply> {
  const { style, task, depth } = input;
  if (style === "tree") return json({ subtasks: await planOfTree(input) });
  const parts = depth > 0 ? await splitSubtask(task) : await splitRequest(task);
  // A missed subtask that stays whole has no parts: saying it again would only miss again.
  const subtasks = depth > 0 && parts.length <= 1 ? [] : parts;
  return json({ subtasks });
}

/** The parts of a task; none when it is whole, or when these are the parts that have failed before. */
async function planOfTree(input: DecomposeInput): Promise<string[]> {
  const { task, earlierResults = [], failedPlans = [] } = input;
  const split = await splitTask(withoutLabel(task), earlierResults.length);
  const parts = split.map((part) => labelled(part));
  const isKnown = failedPlans.some(({ subtasks }) => isDeepStrictEqual(subtasks, parts));
  return parts.length <= 1 || isKnown ? [] : parts;
}

function json(value: unknown): Reply {
  return { text: JSON.stringify(value) };
}

async function replyToPhraseSearch({ subtasks, tried }: PhraseSearchInput): Promise<Reply> {
  const searches = subtasks.flatMap((subtask, at) =>
    searchPhrases(subtask, tried).map((phrase) => ({ subtask: at + 1, phrase })),
  );
  return { calls: [{ name: SEARCH_TOOLS.name, args: { searches } }] };
}
