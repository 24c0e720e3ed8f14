import { memberOf } from "../../common/codeNames.js";
import type { RuleReply } from "../../models/chat/ruleModel.js";
import type { StageInputs } from "../../nodes/kit/stageInputs.js";
import { valueText, wantsTruth } from "../../plans/grounding/valueText.js";
import type { PlanStep, PlanValue } from "../../plans/steps/plan.js";
import {
  isPlainObject,
  isReference,
  isText,
  readText,
  referencesIn,
  writeReference,
} from "../../plans/steps/references.js";
import { FINISH, STOP } from "../../tools/control.js";
import type { Task } from "../benchmarks/benchmark.js";

/** What is known of a task: its gold calls, in which results of earlier ones may be referred to. */
export interface Gold {
  steps: PlanStep[];
  /** Refers to the results that answer the request. */
  answer: string;
  /** For a task that no list of steps can solve. */
  program?: string;
}

/** What a task's gold data say; undefined if they do not say which calls are needed. */
export function goldOf({ plan, calls, program }: Task): Gold | undefined {
  const steps =
    plan?.steps ?? calls?.map(({ tool, args }) => ({ tool, args: args as PlanStep["args"] }));
  if (!steps) return undefined;
  const used = new Set(steps.flatMap(({ args }) => referencesIn(args)).map(({ $prev }) => $prev));
  const last = steps.map((_, at) => at).filter((at) => !used.has(at));
  const results = last.map((at) => writeReference({ $prev: at, path: [] })).join("; ");
  return { steps, answer: plan?.answer || results, ...(program ? { program } : {}) };
}

/** The operation of a step in the words of its tool's and arguments' names: what a search is phrased with. */
export function wordsOf({ tool, args }: PlanStep): string {
  const named = Object.keys(args).filter((name) => name.length > 1);
  const areNumbers = named.length === 0 && Object.keys(args).length > 0;
  return [memberOf(tool), ...named, ...(areNumbers ? ["numbers"] : [])]
    .join(" ")
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[^A-Za-z\d]+/g, " ")
    .trim()
    .toLowerCase();
}

/**
 * A step as a subtask: its operation and its values.
 *
 * @param refer how a result of an earlier step is written
 */
export function stepText(
  { steps }: Gold,
  at: number,
  refer = (step: number) => `the result of step ${step + 1}`,
): string {
  const step = steps[at];
  if (!step) return "";
  const values = Object.values(step.args).map((value) => {
    const [reference] = referencesIn(value);
    return reference ? refer(reference.$prev) : JSON.stringify(value);
  });
  return values.length > 0 ? `${wordsOf(step)} of ${values.join(" and ")}` : wordsOf(step);
}

/** Whether a step waits for results beyond the first `known`. */
export function isOpen({ args }: PlanStep, known: number): boolean {
  return referencesIn(args).some(({ $prev }) => $prev >= known);
}

/** An answer with results in place of references, in words, and in those that the request wants: data is not an answer. */
export function answerInWords(
  { answer }: Gold,
  results: readonly unknown[],
  request: string,
): string {
  const write = (value: unknown) => valueText(value, wantsTruth(request));
  return write(filled(answer, results, write));
}

/** A value with results in place of references; in a text, as text. */
export function filled(
  value: PlanValue,
  results: readonly unknown[],
  write: (value: unknown) => string = inWords,
): unknown {
  const read = typeof value === "string" ? readText(value) : value;
  if (isReference(read)) return read.path.reduce(partOf, results[read.$prev]);
  if (isText(read)) {
    const texts = read.$text.map((part) =>
      typeof part === "string" ? part : write(filled(part, results)),
    );
    return texts.join("");
  }
  if (Array.isArray(read)) return read.map((item) => filled(item, results));
  if (!isPlainObject(read)) return read;
  return Object.fromEntries(Object.entries(read).map(([key, one]) => [key, filled(one, results)]));
}

function partOf(whole: unknown, part: string | number): unknown {
  if (Array.isArray(whole)) return typeof part === "number" ? whole.at(part) : undefined;
  return isPlainObject(whole) ? whole[part] : undefined;
}

/** Ends a run or a task or, in a search, a branch of it. */
export function ended(
  { search }: Pick<StageInputs["act"], "search">,
  text: string,
  solved: boolean,
): RuleReply {
  const call = search
    ? { name: FINISH.name, args: { return_type: "give_answer", final_answer: text, solved } }
    : { name: STOP.name, args: { message: text, solved } };
  return { calls: [call] };
}

/** A reply in the form that a stage asks for. */
export function json(value: object): RuleReply {
  return { text: JSON.stringify(value) };
}

/** A value in a text. */
export function inWords(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
