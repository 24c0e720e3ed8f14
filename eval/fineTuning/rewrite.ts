import type { Demonstration } from "../../memory/demonstrations/demonstrationStore.js";
import { ask } from "../../models/ask.js";
import { backgroundOf } from "../../nodes/shared/runBasics.js";
import { promptOf } from "../../nodes/shared/question.js";
import { type RewriteInput, rewriteQuestion } from "./rewritePrompt.js";
import type { Settings } from "../../state/settings.js";
import { NOTHING_USED, type Usage, addUsage } from "../../state/state.js";
import { canonicalJson, sha256 } from "../../tools/library/records/hash.js";
import type { KeptReplies } from "./keptReplies.js";
import { lostLiterals } from "./lostLiterals.js";

/** Other wordings of the demonstrations' tasks. */
export type Rewrites = ReadonlyMap<Demonstration, readonly string[]>;

/** How many wordings were dropped, by reason. */
interface DroppedRewrites {
  /** The same as another wording of any task, apart from case, white space and punctuation. */
  duplicate: number;
  /** A value of the calls is missing. */
  lostLiteral: number;
  /** The model refused, or its reply could not be read. */
  unusable: number;
  /** Never asked for: a limit of the run was met at this task. */
  limit: number;
}

/** The result of rewriting. */
export interface RewriteFigures {
  made: number;
  dropped: DroppedRewrites;
  /** Without replies that were kept from before. */
  usage: Usage;
}

/** Demonstrations whose tasks are to be reworded. */
interface Rewriting {
  demonstrations: readonly Demonstration[];
  /** Wordings of each task. */
  count: number;
  /** Its limits apply to each task. */
  settings: Settings;
  replies: KeptReplies;
  /** Called after each task. */
  onDone?: (done: number) => void;
}

/** The rewording of one task. */
interface TaskRewriting extends Rewriting {
  demonstration: Demonstration;
  /** All wordings so far, in the form in which they are compared. */
  wordings: Set<string>;
}

type Drop = keyof DroppedRewrites;

/**
 * Has a model reword each task, as TPTU-v2 varies the instructions of a fine-tuning set (arXiv:2311.11315). Each
 * wording takes one model call; an unusable wording is dropped and counted, not asked for again. The same replies
 * give the same wordings.
 *
 * @throws ModelFailed if the model cannot be asked; replies up to then are kept
 */
export async function rewriteTasks(
  rewriting: Rewriting,
): Promise<{ rewrites: Rewrites; figures: RewriteFigures }> {
  const { demonstrations, onDone } = rewriting;
  const wordings = new Set(demonstrations.map(({ task }) => comparable(task)));
  const rewrites = new Map<Demonstration, string[]>();
  const dropped: DroppedRewrites = { duplicate: 0, lostLiteral: 0, unusable: 0, limit: 0 };
  let usage = NOTHING_USED;
  for (const demonstration of demonstrations) {
    const done = await rewriteTask({ ...rewriting, demonstration, wordings });
    rewrites.set(demonstration, done.taken);
    for (const drop of done.dropped) dropped[drop] += 1;
    usage = addUsage(usage, done.usage);
    onDone?.(rewrites.size);
  }
  const made = [...rewrites.values()].flat().length;
  return { rewrites, figures: { made, dropped, usage } };
}

async function rewriteTask(
  rewriting: TaskRewriting,
): Promise<{ taken: string[]; dropped: Drop[]; usage: Usage }> {
  const { wordings, count } = rewriting;
  const taken: string[] = [];
  const dropped: Drop[] = [];
  let usage = NOTHING_USED;
  for (let number = 1; number <= count; number++) {
    const asked = await askOnce({ ...rewriting, taken, number, usage });
    if (!asked) {
      dropped.push(...Array.from({ length: count - taken.length - dropped.length }, limitMet));
      break;
    }
    usage = addUsage(usage, asked.used);
    const read = readWording({ ...rewriting, reply: asked.text });
    if ("drop" in read) dropped.push(read.drop);
    else {
      taken.push(read.wording);
      wordings.add(comparable(read.wording));
    }
  }
  return { taken, dropped, usage };
}

function limitMet(): Drop {
  return "limit";
}

/** The reply, kept or new, and its usage now; undefined if a limit forbids asking. */
async function askOnce(
  asking: TaskRewriting & { taken: readonly string[]; number: number; usage: Usage },
): Promise<{ text: string; used: Partial<Usage> } | undefined> {
  const { demonstration, settings, replies, taken, number } = asking;
  const input: RewriteInput = {
    request: demonstration.task,
    background: backgroundOf(settings),
    earlierTurns: [],
    taken: [demonstration.task, ...taken],
  };
  const key = sha256(canonicalJson({ model: settings.model, input, number }));
  const kept = replies.find(key);
  if (kept !== undefined) return { text: kept, used: {} };
  // Kept replies count towards the limit, so that interrupted work ends where it would have ended.
  const usage = { ...asking.usage, modelCalls: number - 1 };
  const answer = await ask({
    prompt: promptOf(rewriteQuestion, { input }),
    settings,
    usage,
    config: {},
  });
  if (!("reply" in answer)) return undefined;
  const { text } = answer.reply;
  replies.keep({ key, text });
  return { text, used: answer.used };
}

function readWording(
  options: Pick<TaskRewriting, "demonstration" | "wordings"> & { reply: string },
): { wording: string } | { drop: Drop } {
  const { demonstration, wordings, reply } = options;
  const read = rewriteQuestion.form.read(reply);
  if ("problem" in read) return { drop: "unusable" };
  const wording = read.value.request;
  if (wordings.has(comparable(wording))) return { drop: "duplicate" };
  const { task: request, calls } = demonstration;
  return lostLiterals({ request, wording, calls }).length > 0
    ? { drop: "lostLiteral" }
    : { wording };
}

/** Without case, white space and punctuation. */
function comparable(text: string): string {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join(" ");
}
