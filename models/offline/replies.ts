import { isDeepStrictEqual } from "node:util";
import type { ActInput } from "../../nodes/acting/actInput.js";
import type { DecomposeInput } from "../../nodes/finding/decompose.js";
import type { PhraseSearchInput } from "../../nodes/finding/phraseSearch.js";
import type { AggregateInput } from "../../nodes/policy/askResult.js";
import { parseJson } from "../../common/jsonInText.js";
import { FINISH, SEARCH_LIBRARY, SEARCH_TOOLS, STOP } from "../../tools/control.js";
import type { PlannedCall, Reply } from "../prompt.js";
import { answerOf, followCalls, planSteps } from "./plans.js";
import { readRequest, readStep } from "./requests.js";

/** The steps of a request; a part of it, which is one step, has none. */
export function replyToDecompose({ request, task, earlierResults = [] }: DecomposeInput): Reply {
  if (task !== request || earlierResults.length > 0) return json({ subtasks: [] });
  return json({ subtasks: readRequest(request).map(({ text }) => text) });
}

/** Phrases for each subtask, which may be a whole request, except those that found nothing. */
export function replyToPhraseSearch({ subtasks, tried }: PhraseSearchInput): Reply {
  const searches = subtasks.flatMap((subtask, at) => {
    const phrases = readRequest(subtask).map(({ phrase }) => phrase);
    const fresh = [...new Set(phrases)].filter((phrase) => !tried.includes(phrase));
    return fresh.map((phrase) => ({ subtask: at + 1, phrase }));
  });
  return { calls: [{ name: SEARCH_TOOLS.name, args: { searches } }] };
}

/** The next call, or the one that ends the run, the branch of a search, or the task of a tree. */
export function replyToAct(input: ActInput): Reply {
  const { request, search, task, tools, retired = [], observations, searched } = input;
  const texts = task ? [task.text] : input.steps;
  const steps = texts.length > 0 ? texts.map(readStep) : readRequest(request);
  const before = task?.earlierResults.map(({ result }) => parseJson(result) ?? result) ?? [];
  const known = [...tools, ...retired];
  const calls = planSteps({ steps, tools: known, searched, earlier: before.length });
  if (typeof calls === "string") {
    const args = { action_descriptions: [calls] };
    return inSearch(input, { name: SEARCH_LIBRARY.name, args });
  }
  const { results, next, error } = followCalls(calls, observations, before);
  const isClosed = next && !tools.some(({ name }) => name === next.name);
  if (next && !isClosed) return inSearch(input, next);
  const values = results.slice(before.length).map(resultText);
  if (next || error !== undefined) {
    const reason = isClosed
      ? `${next.name} may no longer be called.`
      : `It could not be done: ${error}.`;
    const message = values.length > 0 ? `${reason} So far: ${values.join("; ")}.` : reason;
    return search ? inSearch(input, finish("give_up_and_restart", message)) : stop(message, false);
  }
  const isPart = task !== undefined && task.text !== request;
  const message = answerOf(steps, values, isPart).trim() || "(empty)";
  return search ? inSearch(input, finish("give_answer", message)) : stop(message, true);
}

/** In a search over steps, nothing is tried twice at one point: the branch is given up. */
function inSearch({ search }: ActInput, call: PlannedCall): Reply {
  const isTried = search?.attempts.some(({ calls }) =>
    isDeepStrictEqual(
      calls.map(({ name, args }) => ({ name, args })),
      [call],
    ),
  );
  return { calls: [isTried ? finish("give_up_and_restart", "I know no other way.") : call] };
}

function finish(return_type: string, final_answer: string): PlannedCall {
  return { name: FINISH.name, args: { return_type, final_answer } };
}

function stop(message: string, solved: boolean): Reply {
  return { calls: [{ name: STOP.name, args: { message, solved } }] };
}

function resultText(result: unknown): string {
  return typeof result === "string" ? result : (JSON.stringify(result) ?? "done");
}

/** The results of a task's parts that no other part used; other tasks use the bare result. */
export function replyToAggregate({ request, task, results }: AggregateInput): Reply {
  const lacking = results.find(({ result }) => result.trim() === "");
  if (results.length === 0 || lacking)
    return json({ result: `There is no result for: ${lacking?.task ?? task}.`, solved: false });
  const steps = results.map((one) => readStep(one.task));
  const values = results.map(({ result }) => result);
  return json({ result: answerOf(steps, values, task !== request), solved: true });
}

function json(value: object): Reply {
  return { text: JSON.stringify(value) };
}
