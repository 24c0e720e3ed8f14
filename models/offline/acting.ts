import { isDeepStrictEqual } from "node:util";
import type { ActInput } from "../../nodes/acting/actInput.js";
import type { Attempt } from "../../nodes/shared/stageInputs.js";
import { FINISH, STOP } from "../../tools/control.js";
import { type FinalAnswer, answerFrom } from "./answer.js";
import { followSteps, nextCalls, searchForTools, type NextCall } from "./follow.js";
import { replyToKeeping } from "./keeping.js";
import type { PlannedCall, Reply } from "../prompt.js";
import { unusedBy } from "./leftOut.js";
import { stepsOf } from "./splitting.js";
import { replyToTask } from "./task.js";
import { isError } from "./verdicts.js";

const NO_TOOLS =
  "I cannot answer this: the offline planner computes nothing itself, and no tools were offered.";

/** The calls to make next, or the one that ends the run, the branch of a search, or the task of a tree. */
export async function replyToAct(input: ActInput): Promise<Reply> {
  const { request, search, keepsLibrary, task, tools, observations, missed } = input;
  if (keepsLibrary) return replyToKeeping({ input, keepsLibrary });
  if (task) return replyToTask({ input, task });
  if (!search && tools.length === 0 && observations.length === 0) {
    return { text: NO_TOOLS, refusal: true };
  }
  const steps = await stepsOf(request, input.steps);
  if (search) return { calls: await nextInSearch({ steps, input, attempts: search.attempts }) };
  const states = await followSteps({ steps, input });
  const calls = nextCalls(states);
  if (calls.length > 0) return { calls };
  const asking = searchForTools({ steps, states }, input);
  if (asking) return { calls: asking };
  const partial = input.retired !== undefined;
  const unused = unusedBy(input, steps);
  const answer = answerFrom({ steps, states, missed, partial, unused });
  return { calls: [{ name: STOP.name, args: { ...answer } }] };
}

/** The best step not tried at this point before; without one, the branch is given up. */
async function nextInSearch(options: {
  steps: string[];
  input: ActInput;
  attempts: Attempt[];
}): Promise<PlannedCall[]> {
  const { steps, input, attempts } = options;
  let answer: FinalAnswer = { message: "", solved: false };
  const unused = unusedBy(input, steps);
  for (const avoided of waysAround(attempts)) {
    const states = await followSteps({ steps, input, avoided });
    const calls = withoutRepeats(nextCalls(states));
    answer = answerFrom({ steps, states, missed: input.missed, partial: true, unused });
    const asking = searchForTools({ steps, states }, input) ?? [finish(answer)];
    const next = calls.length > 0 ? calls : asking;
    if (!attempts.some((attempt) => isSameStep(attempt, next))) return next;
  }
  const message = answer.solved
    ? `The same answer was given here before: ${answer.message}`
    : answer.message;
  return [finish({ message, solved: false })];
}

/** What to avoid, in turn: nothing, the calls that failed at this point, all calls made there. */
function waysAround(attempts: Attempt[]): NextCall[][] {
  const made = attempts.flatMap(({ calls }) => calls);
  const failed = made.filter(({ observation }) => isError(observation));
  return [[], failed, made].map((calls) => calls.map(({ name, args }) => ({ tool: name, args })));
}

function isSameStep({ calls }: Attempt, next: PlannedCall[]): boolean {
  return isDeepStrictEqual(
    calls.map(({ name, args }) => ({ name, args })),
    next,
  );
}

function withoutRepeats(calls: PlannedCall[]): PlannedCall[] {
  return calls.filter(
    (call, at) => calls.findIndex((other) => isDeepStrictEqual(other, call)) === at,
  );
}

function finish({ message, solved }: FinalAnswer): PlannedCall {
  const return_type = solved ? "give_answer" : "give_up_and_restart";
  return { name: FINISH.name, args: { return_type, final_answer: message } };
}
