import { InvalidSetting } from "../common/errors.js";
import { type KeptReplies, openKeptReplies } from "../eval/fineTuning/keptReplies.js";
import { type RewriteFigures, type Rewrites, rewriteTasks } from "../eval/fineTuning/rewrite.js";
import type { Demonstration } from "../memory/demonstrations/demonstration.js";
import { type Context, OFFLINE_MODEL } from "../state/context.js";

/** Lines that tell how far it is. */
const STEPS = 10;

/** Other wordings, what came of asking for them, and the replies, which are kept until they are cleared. */
export interface RewrittenTasks {
  rewrites: Rewrites;
  figures: RewriteFigures;
  replies: KeptReplies;
}

/**
 * Has the tasks of a fine-tuning set said in other words. Replies are kept beside the set, so that the same
 * command goes on where it was broken off.
 *
 * @param options.count times that each task is said in other words
 * @param options.file the set that is to be written
 * @throws InvalidSetting where no language model is set, or no file can be written there
 * @throws ModelFailed when the model cannot be asked
 */
export async function rewrittenTasks(options: {
  demonstrations: readonly Demonstration[];
  count: number;
  context: Context;
  file: string;
}): Promise<RewrittenTasks> {
  const { demonstrations, count, context, file } = options;
  requireLanguageModel(context);
  const replies = await openKeptReplies(`${file}.replies.jsonl`);
  const onDone = progressLines(demonstrations.length);
  try {
    return {
      ...(await rewriteTasks({ demonstrations, count, context, replies, onDone })),
      replies,
    };
  } catch (error) {
    if (replies.isEmpty()) replies.clear();
    throw error;
  }
}

/** What came of it, on one line. */
export function rewritesText({ made, dropped, usage }: RewriteFigures): string {
  const { duplicate, lostLiteral, unusable, limit } = dropped;
  const reasons = `${duplicate} as there already, ${lostLiteral} without a value of the calls, ${unusable} unusable, ${limit} for a limit`;
  return `${made} (left out: ${reasons}), ${usage.modelCalls} model calls`;
}

function requireLanguageModel({ model }: Context): void {
  if (model !== OFFLINE_MODEL) return;
  throw new InvalidSetting({
    setting: "rewrites",
    problem: `${OFFLINE_MODEL} cannot say a task in other words`,
    hint: "Name a language model with --model, such as openai:gpt-4.1-mini, or leave --rewrites out",
  });
}

function progressLines(total: number): (done: number) => void {
  let printed = 0;
  return (done) => {
    const step = Math.floor((done * STEPS) / total);
    if (step > printed) process.stderr.write(`rewriting: ${done}/${total} tasks\n`);
    printed = step;
  };
}
