import { isDeepStrictEqual } from "node:util";
import { memberOf } from "../../common/codeNames.js";
import type { Observation, OfferedTool } from "../../nodes/kit/stageInputs.js";
import type { PlanStep, PlanValue, Plan } from "../../plans/steps/plan.js";
import {
  isReference,
  codeText,
  programText,
  planText,
  solutionText,
  writeReference,
} from "../../plans/steps/references.js";
import {
  accepts,
  allowedValues,
  ANY,
  fieldsOf,
  isList,
  itemsOf,
  requiredOf,
  shapesOf,
  type Typed,
} from "../../plans/steps/schemaTypes.js";
import { fieldTexts } from "../../tools/library/words/words.js";
import type { PlannedCall, Reply } from "../prompt.js";
import { type Operation, type Step, readRequest } from "./requests.js";
import { type Literal, Refusal, stemsIn, wordsIn } from "./texts.js";
import type { ComposeInput } from "../../nodes/planning/compose.js";
import type { ComposeStepsInput } from "../../nodes/planning/composeSteps.js";
import type { OutlineInput } from "../../nodes/planning/writeOutline.js";
import type { WriteProgramInput } from "../../nodes/programs/programQuestion.js";

/** Tools are equally likely to be meant if their scores differ by less. */
const MARGIN = 0.05;

interface Parameter {
  name: string;
  type: Typed;
  isRequired: boolean;
}

/** A value as an argument for a parameter; undefined if the types do not fit. */
type ValueFor = (literal: Literal, parameter: Parameter) => PlanValue | undefined;

/**
 * The calls of all steps, so that nothing is done by halves, or a phrase to search for a tool that is lacking.
 *
 * @param options.searched what was searched for; absent if nothing can be
 * @param options.earlier how many results come before the steps, which their references count
 * @throws Refusal if a step has no call, and searching cannot help
 */
export function planSteps(options: {
  steps: readonly Step[];
  tools: readonly OfferedTool[];
  searched?: readonly string[];
  earlier?: number;
}): PlanStep[] | string {
  const { steps, tools, searched, earlier = 0 } = options;
  const results = Array.from({ length: earlier }, () => ANY);
  const calls: PlanStep[] = [];
  for (const step of steps) {
    const call = callFor(step, tools, results);
    if (call instanceof Refusal) {
      if (!searched || step.phrase === "" || searched.includes(step.phrase)) throw call;
      return step.phrase;
    }
    calls.push(call);
    const { returns } = tools.find(({ name }) => name === call.tool) ?? {};
    results.push(returns ? { schema: returns, root: returns } : ANY);
  }
  return calls;
}

/**
 * What is said of the values of steps: of those that no later step uses, which were asked for.
 *
 * @param isPart another task uses the bare value
 */
export function answerOf(
  steps: readonly Pick<Step, "text" | "phrase">[],
  values: readonly string[],
  isPart = false,
): string {
  const asked = steps
    .map(({ phrase }, at) => ({ at, name: phrase, value: values[at] ?? "" }))
    .filter(
      ({ at }) =>
        !steps
          .slice(at + 1)
          .some(({ text }) => new RegExp(`results? of step ${at + 1}\\b`, "i").test(text)),
    );
  const [only, ...others] = asked;
  if (only && others.length === 0) return isPart ? only.value : `The result is ${only.value}.`;
  return `${asked.map(({ name, value }) => `${name}: ${value}`).join("; ")}.`;
}

/**
 * How far planned calls have come: their results, and the call to make next or the error of the last one. Nothing is
 * remembered between visits: calls are looked up among the observations, so that a resumed or forked run continues
 * where it is.
 *
 * @param earlier results that come before the calls, which their references count
 */
export function followCalls(
  calls: readonly PlanStep[],
  observations: readonly Observation[],
  earlier: readonly unknown[],
): { results: unknown[]; next?: PlannedCall; error?: string } {
  const results = [...earlier];
  const unclaimed = [...observations];
  for (const { tool: name, args } of calls) {
    const known = (value: PlanValue) => (isReference(value) ? results[value.$prev] : value);
    const entries = Object.entries(args).map(([key, value]) => {
      return [key, Array.isArray(value) ? value.map(known) : known(value)] as const;
    });
    const next = { name, args: Object.fromEntries(entries) };
    const ofTool = unclaimed.filter(({ tool }) => tool === name);
    // A person may have changed the arguments.
    const seen = ofTool.find((one) => isDeepStrictEqual(one.args, next.args)) ?? ofTool[0];
    if (!seen) return { results, next };
    if (seen.error !== undefined) return { results, error: `${name}: ${seen.error}` };
    unclaimed.splice(unclaimed.indexOf(seen), 1);
    results.push(seen.result);
  }
  return { results };
}

/**
 * The call that takes every word and value of a step, and nothing else. Of several none is chosen, because a wrong guess
 * may write.
 *
 * @param results the types of the results of earlier steps
 */
function callFor(step: Step, tools: readonly OfferedTool[], results: Typed[]): PlanStep | Refusal {
  const rated = tools.flatMap((tool) => {
    const likeness = step.sum ? doesOperation(tool, step.sum.operation) : likenessOf(step, tool);
    const filled = likeness > 0 ? fillArguments(step, tool, results) : undefined;
    if (!filled) return [];
    return [{ call: { tool: tool.name, args: filled.args }, score: likeness + filled.named }];
  });
  const [best, second] = rated.toSorted((one, other) => other.score - one.score);
  if (!best) return new Refusal(`No tool on offer matches “${step.text}” exactly.`);
  if (!second || best.score - second.score >= MARGIN) return best.call;
  const names = `${best.call.tool} or ${second.call.tool}`;
  return new Refusal(`I cannot tell whether “${step.text}” means ${names}.`);
}

/** How surely a tool does an operation, by its name or the first sentence about it; 0 if it does something else. */
function doesOperation({ name, description }: OfferedTool, { names }: Operation): number {
  const groups = names.map(wordsIn);
  const own = wordsIn(memberOf(name));
  const at = groups.findIndex((group) => areIn(group, own) && areIn(own, group));
  if (at >= 0) return names.length - at;
  const told = wordsIn(description.split(/\.(?:\s|$)/)[0] ?? "");
  return groups.some((group) => areIn(group, told)) && areIn(told, groups.flat()) ? 0.5 : 0;
}

function areIn(words: string[], all: string[]): boolean {
  return words.every((word) => all.includes(word));
}

/** How much of a step is in a tool's name; 0 if the tool lacks a word of it, or is called what it does not say. */
function likenessOf({ words, said }: Step, tool: OfferedTool): number {
  const known = vocabularyOf(tool);
  const name = [...new Set(wordsIn(memberOf(tool.name)))];
  const isMeant =
    words.every((word) => known.has(word)) && name.every((word) => said.includes(word));
  return isMeant ? (2 * name.length) / (words.length + name.length) : 0;
}

function vocabularyOf(tool: OfferedTool): Set<string> {
  return new Set(wordsIn(Object.values(fieldTexts(tool)).join(" ")));
}

/** Gives every value of a step to a parameter; undefined if any value or required parameter is left over. */
function fillArguments(
  step: Step,
  tool: OfferedTool,
  results: Typed[],
): { args: PlanStep["args"]; named: number } | undefined {
  const root = { schema: tool.parameters, root: tool.parameters };
  const required = requiredOf(root);
  const parameters = [...(fieldsOf(root) ?? [])].map(([name, type]) => {
    return { name, type, isRequired: required.includes(name) };
  });
  const args = new Map<string, PlanValue | undefined>();
  const left = new Set(step.literals);
  const open = () => parameters.filter(({ name }) => args.get(name) === undefined);
  const valueFor: ValueFor = (literal, parameter) => {
    const $prev = Number(literal.value) - 1;
    const given = literal.kind === "result" ? results[$prev] : undefined;
    if (!given) return plainValue(literal, parameter);
    return accepts({ wanted: parameter.type, given }) ? { $prev, path: [] } : undefined;
  };
  const give = (literal: Literal, parameter: Parameter) => {
    args.set(parameter.name, valueFor(literal, parameter));
    left.delete(literal);
  };
  for (const parameter of parameters) {
    const choice = choiceIn(step, parameter);
    args.set(parameter.name, choice);
    for (const literal of left) if (literal.value === choice) left.delete(literal);
  }
  for (const list of open().filter(({ type }) => isList(type))) {
    args.set(list.name, membersOf(list, [...left], valueFor));
    if (args.get(list.name) !== undefined) left.clear();
  }
  const scalars = () => open().filter(({ type }) => !isList(type));
  const { size } = left;
  const unnamed = [...left].filter((literal) => {
    const named = namedBy(literal, scalars(), valueFor);
    if (named) give(literal, named);
    return !named;
  });
  for (const pair of pairsInOrder(unnamed, scalars(), valueFor)) give(...pair);
  const known = vocabularyOf(tool);
  const isWord = ({ kind, written }: Literal) =>
    kind === "name" && wordsIn(written).every((word) => known.has(word));
  if (![...left].every(isWord) || open().some(({ isRequired }) => isRequired)) return undefined;
  const given = [...args].flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  // Next to the name of its parameter, a value is surer.
  return { args: Object.fromEntries(given), named: unnamed.length < size ? 0.2 : 0 };
}

/** The one of a parameter's listed values that a step names outside of quoted texts. */
function choiceIn({ said }: Step, { type }: Parameter): string | undefined {
  const choices = shapesOf(type).flatMap((shape) => allowedValues(shape) ?? []);
  const named = choices.filter((choice) => {
    const words = typeof choice === "string" ? stemsIn(choice) : [];
    return words.length > 0 && words.every((word) => said.includes(word));
  });
  return named.length === 1 ? String(named[0]) : undefined;
}

/** The values for a list: a result that is one, or an enumeration of all. */
function membersOf(
  list: Parameter,
  literals: Literal[],
  valueFor: ValueFor,
): PlanValue | undefined {
  const [whole, ...others] = literals;
  if (whole?.kind === "result" && others.length === 0) return valueFor(whole, list);
  const [type] = shapesOf(list.type).map((shape) => itemsOf(shape));
  const members = literals.flatMap((literal, at) => {
    const isMember = type && !literal.isCount && (literal.isListed || at === 0);
    return isMember ? (valueFor(literal, { ...list, type }) ?? []) : [];
  });
  return members.length > 0 && members.length === literals.length ? members : undefined;
}

/** The parameter that the words around a value name best. */
function namedBy(literal: Literal, open: Parameter[], valueFor: ValueFor): Parameter | undefined {
  const counted = open.flatMap((parameter) => {
    const count = stemsIn(parameter.name).filter((word) => literal.near.includes(word)).length;
    return valueFor(literal, parameter) === undefined ? [] : [{ parameter, count }];
  });
  const [best, second] = counted.toSorted((one, other) => other.count - one.count);
  return best && best.count > (second?.count ?? 0) ? best.parameter : undefined;
}

/** Values that nothing names: an enumeration of as many as are needed, or each for the only parameter of its type. */
function pairsInOrder(
  literals: Literal[],
  open: Parameter[],
  valueFor: ValueFor,
): [Literal, Parameter][] {
  const required = open.filter(({ isRequired }) => isRequired);
  const wanted = required.length > 0 ? required : open;
  const fitting = literals.map((literal) => {
    const fits = wanted.filter((one) => valueFor(literal, one) !== undefined);
    // A number is written as a text only where none is wanted.
    const exact = fits.filter((one) => typeof valueFor(literal, one) === typeof literal.value);
    return { literal, fits: exact.length > 0 ? exact : fits };
  });
  const values = fitting.filter(({ fits }) => fits.length > 0);
  const isListed = values.slice(1).every(({ literal }) => literal.isListed);
  const isWhole = isListed && values.length === wanted.length;
  const pairs = values.flatMap(({ literal, fits }, at): [Literal, Parameter][] => {
    const [first, second] = isWhole ? fits.filter((one) => one === wanted[at]) : fits;
    return first && !second ? [[literal, first]] : [];
  });
  return new Set(pairs.map(([, parameter]) => parameter)).size === values.length ? pairs : [];
}

function plainValue({ kind, value, written, isPercent }: Literal, { name, type }: Parameter) {
  const takes = (one: unknown) =>
    accepts({ wanted: type, given: { schema: { const: one }, root: {} } });
  if (kind === "result") return undefined;
  if (kind !== "number") return takes(value) ? value : undefined;
  // "5 %" is 0.05, the same number written differently, unless the parameter is described as a percentage.
  const text = `${name} ${String(type.schema["description"])}`;
  const isFraction = /decimal|fraction|0\.\d/i.test(text) || !/percent|%/i.test(text);
  const number = isPercent && isFraction ? Number(`${value}e-2`) : Number(value);
  const isOfWhole = shapesOf(type).every(({ base }) => base === "integer");
  if (takes(number)) return isOfWhole && !Number.isInteger(number) ? undefined : number;
  return takes(written) ? written : undefined;
}

/** A whole plan in the requested form. */
export function replyToCompose(input: ComposeInput): Reply {
  const { plan } = planFor(input);
  if (input.style === "typed") return { text: planText(plan) };
  return { text: input.style === "code" ? codeText(plan) : solutionText(plan) };
}

/** "Undo that, please", "Take it back" */
const TAKES_BACK = /^(?:please )?(?:undo|revert|take (?:that|it|this|them|everything) back)\b/i;

/** The plan as a program, or what to search for if a tool is lacking. */
export function replyToWriteProgram(input: WriteProgramInput): Reply {
  if (input.mayUndo && TAKES_BACK.test(input.request)) return { text: "```ts\nundo({});\n```" };
  const searched = [...input.searched.map(({ phrase }) => phrase), ...input.missed];
  const { plan, lacking } = planFor(input, searched);
  const code = lacking === undefined ? programText(plan) : `need(${JSON.stringify(lacking)});`;
  return { text: `\`\`\`ts\n${code}\n\`\`\`` };
}

/** The steps of a request as tasks, each with its tool. */
export function replyToOutline(input: OutlineInput): Reply {
  const { plan, steps } = planFor(input);
  const thought = "It matches every word of the task.";
  const tasks = steps.map(({ text: task }, at) => ({
    thought,
    tool_name: plan.steps[at]?.tool,
    task,
  }));
  return { text: JSON.stringify({ tasks }) };
}

/** The calls of the tasks, which are the steps of the request. */
export function replyToComposeSteps(input: ComposeStepsInput): Reply {
  return { text: `{"calls": ${solutionText(planFor(input).plan)}}` };
}

/** A plan of all steps, or what to search for first. @throws Refusal if there is neither */
function planFor(
  { request, tools, failed }: Pick<ComposeInput, "request" | "tools" | "failed">,
  sought?: readonly string[],
) {
  // The rules would only write the same again.
  if (failed && failed.problems.length > 0)
    throw new Refusal(`My only plan cannot be carried out: ${failed.problems.join("; ")}.`);
  const steps = readRequest(request);
  // The words of a whole request were searched for at the start.
  const isSought = steps.length === 1 && !steps[0]?.sum;
  const calls = planSteps({ steps, tools, searched: isSought ? undefined : sought });
  if (typeof calls === "string") return { plan: NOTHING, steps, lacking: calls };
  const values = steps.map((_, at) => writeReference({ $prev: at, path: [] }));
  return { plan: { steps: calls, answer: answerOf(steps, values) }, steps };
}

const NOTHING: Plan = { steps: [], answer: "" };
