import type {
  DecomposeInput,
  PhraseSearchInput,
  Stage,
  StageInputs,
} from "../../prompts/stages.js";
import { SEARCH_TOOLS } from "../../tools/control.js";
import { replyToAct } from "./acting.js";
import { splitRequest } from "./clauses.js";
import type { Reply } from "./message.js";
import { splitSubtask } from "./numbering.js";
import { factualPhrase, untriedPhrase } from "./phrases.js";
import { replyToSummarize } from "./summary.js";
import { replyToJudge, replyToVote } from "./verdicts.js";

/** What the planner replies at a stage. */
export function replyTo<S extends Stage>(stage: S, input: StageInputs[S]): Promise<Reply> {
  const decide: { [K in Stage]: (input: StageInputs[K]) => Promise<Reply> } = {
    decompose: replyToDecompose,
    phraseSearch: replyToPhraseSearch,
    act: replyToAct,
    judge: replyToJudge,
    vote: replyToVote,
    summarize: replyToSummarize,
  };
  return decide[stage](input);
}

async function replyToDecompose({ task, depth }: DecomposeInput): Promise<Reply> {
  const parts = depth > 0 ? await splitSubtask(task) : await splitRequest(task);
  // A missed subtask that stays whole has no parts: saying it again would only miss again.
  const subtasks = depth > 0 && parts.length <= 1 ? [] : parts;
  return { text: JSON.stringify({ subtasks }) };
}

async function replyToPhraseSearch({ subtasks, tried }: PhraseSearchInput): Promise<Reply> {
  const searches = subtasks.flatMap((subtask, at) =>
    // What a step asks and the words of its facts: either may be what names the tool.
    [untriedPhrase(subtask, tried), factualPhrase(subtask)]
      .filter((phrase) => phrase !== undefined)
      .map((phrase) => ({ subtask: at + 1, phrase })),
  );
  return { calls: [{ name: SEARCH_TOOLS.name, args: { searches } }] };
}
