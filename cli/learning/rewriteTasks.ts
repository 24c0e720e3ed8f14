import { InvalidSetting } from "../../common/errors.js";
import { type KeptReplies, openKeptReplies } from "../../eval/fineTuning/keptReplies.js";
import { type RewriteFigures, type Rewrites, rewriteTasks } from "../../eval/fineTuning/rewrite.js";
import type { Demonstration } from "../../memory/demonstrations/demonstration.js";
import { type Settings, OFFLINE_MODEL } from "../../state/settings.js";

/** Lines of progress. */
const STEPS = 10;

/** The rewordings, their figures, and the replies, which are kept until they are cleared. */
export interface RewrittenTasks {
  rewrites: Rewrites;
  figures: RewriteFigures;
  replies: KeptReplies;
}

/**
 * Has a model reword the tasks of a fine-tuning set. Replies are kept beside the set, so the same command continues
 * after an interruption.
 *
 * @param options.count rewordings of each task
 * @param options.file the set to be written
 * @throws InvalidSetting if no language model is set, or the file cannot be written
 * @throws ModelFailed when the model cannot be asked
 */
export async function rewrittenTasks(options: {
  demonstrations: readonly Demonstration[];
  count: number;
  context: Settings;
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

/** The figures in one line. */
export function rewritesText({ made, dropped, usage }: RewriteFigures): string {
  const { duplicate, lostLiteral, unusable, limit } = dropped;
  const reasons = `${duplicate} as there already, ${lostLiteral} without a value of the calls, ${unusable} unusable, ${limit} for a limit`;
  return `${made} (left out: ${reasons}), ${usage.modelCalls} model calls`;
}

function requireLanguageModel({ model }: Settings): void {
  if (model !== OFFLINE_MODEL) return;
  throw new InvalidSetting({
    setting: "rewrites",
    problem: `${OFFLINE_MODEL} cannot reword a task`,
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
