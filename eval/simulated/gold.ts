import { memberOf } from "../../common/codeNames.js";
import { InvalidSetting } from "../../common/errors.js";
import { parseJson } from "../../common/jsonInText.js";
import type { RuleQuestion, RuleReply } from "../../models/chat/ruleModel.js";
import type { OfferedTool, Stage, StageInputs } from "../../nodes/kit/stageInputs.js";
import type { PlanStep } from "../../plans/steps/plan.js";
import { codeText, planText, programText, solutionText } from "../../plans/steps/references.js";
import { SEARCH_LIBRARY, SEARCH_TOOLS } from "../../tools/control.js";
import {
  answerInWords,
  ended,
  filled,
  type Gold,
  inWords,
  isOpen,
  json,
  stepText,
  wordsOf,
} from "./goldSteps.js";
import { drawsIn, SIMULATED_GOLD } from "./policyParameters.js";

/**
 * How often a step is done with another of the tools shown, without noticing. It was chosen before any graph was run with
 * it, and must not change. The same steps of a task err in every graph, so that graphs differ by what they show.
 */
export const ERRS = 0.05;

/** What may be called: tools with their parameters, and a text that names others. */
interface Shown {
  tools: readonly OfferedTool[];
  listed?: string;
}

interface Asked<Input> {
  input: Input;
  gold: Gold;
  seed: number;
}

/**
 * A stand-in for a language model that knows the gold calls of a benchmark, to compare what graphs make of the same
 * knowledge. It uses only tools that it is shown, takes results from what it is shown, and errs as often as `ERRS` says.
 */
export function replyByGold(
  { stage, input, byRules }: RuleQuestion,
  { seed, gold }: { seed: number; gold: Gold | undefined },
) {
  if (gold) return REPLIES[stage as Stage]?.({ input: input as never, gold, seed }) ?? byRules?.();
  throw new InvalidSetting({
    setting: `model ${SIMULATED_GOLD}`,
    problem: "it knows only the gold calls of a benchmark, and this request is not from one",
    hint: "Use it in: tulipgraph eval run --benchmark NAME --models simulated:gold --out DIR",
  });
}

const REPLIES: { [K in Stage]?: (asked: Asked<StageInputs[K]>) => RuleReply } = {
  act: replyToAct,
  decompose: replyToDecompose,
  phraseSearch: replyToPhraseSearch,
  paraphrase: ({ input, gold }) => json({ task: wordsOfTask(input.task, gold) ?? input.task }),
  writeProgram: replyToWriteProgram,
  compose: ({ input, gold, seed }) => {
    const plan = plannedWith({ tools: input.tools }, { gold, seed, request: input.request });
    const form = { code: codeText, typed: planText };
    const write = input.style in form ? form[input.style as keyof typeof form] : solutionText;
    return { text: write(plan) };
  },
  outline: ({ input, gold, seed }) => {
    const { steps } = plannedWith({ tools: input.tools }, { gold, seed, request: input.request });
    const tasks = steps.map(({ tool: tool_name }, at) => ({
      thought: "It is needed next.",
      tool_name,
      task: stepText(gold, at, (step) => `$$PREV[${step}]`),
    }));
    return json({ tasks });
  },
  composeSteps: ({ input, gold }) => {
    const steps = input.tasks.map(({ tool }, at) => ({ tool, args: gold.steps[at]?.args ?? {} }));
    const isEach = input.tools.length < new Set(input.tasks.map(({ tool }) => tool)).size;
    return { text: `{"calls": ${solutionText({ steps: isEach ? steps.slice(-1) : steps })}}` };
  },
  reflect: ({ input }) => json({ accepted: input.problems.length === 0, cue: "" }),
  judge: ({ input, gold }) => {
    const helpful = gold.steps.some(({ tool }) => namesIn([input.tool], tool) !== undefined);
    return json({ reason: helpful ? "It was needed." : "It was not needed.", helpful });
  },
  vote: () => json({ reason: "It comes first.", better: "A" }),
  aggregate: ({ input, gold }) => {
    const results = input.results.map(({ result }) => parseJson(result) ?? result);
    const isWhole = results.length === gold.steps.length;
    return json({
      result: isWhole
        ? answerInWords(gold, results, input.request)
        : results.map(inWords).join("; "),
      solved: isWhole,
    });
  },
  summarize: ({ input }) => {
    const results = input.findings.flatMap(({ calls }) =>
      calls.map(({ result }) => inWords(result)),
    );
    return json({ answer: input.draft || results.join("; ") || "Nothing was found." });
  },
};

/** A plan with the tools that are shown, as far as they go. */
function plannedWith(shown: Shown, known: { gold: Gold; seed: number; request: string }) {
  const steps = shownSteps(shown, known);
  const end = steps.findIndex((step) => step === undefined);
  const isWhole = end < 0;
  return {
    steps: (isWhole ? steps : steps.slice(0, end)).filter((step) => step !== undefined),
    answer: isWhole ? known.gold.answer : "",
    lacking: isWhole ? [] : known.gold.steps.filter((_, at) => steps[at] === undefined),
  };
}

/** The next calls, in `auto_tulip` a search for what is lacking, or the end. Calls that wait for no result are made together. */
function replyToAct({ input, gold, seed }: Asked<StageInputs["act"]>): RuleReply {
  const { request, observations, searched, search, task, keepsLibrary } = input;
  const steps = shownSteps(input, { gold, seed, request });
  if (task && task.text !== request) return replyToTask({ input, gold, seed }, steps);
  const failed = observations.find(({ error }) => error !== undefined);
  const results = observations.map(({ result }) => result);
  if (failed) return end(input, `${failed.tool} failed: ${failed.error}`, false);
  const next = results.length;
  if (next > 0 && next >= gold.steps.length)
    return end(input, answerInWords(gold, results, request), true);
  const lacking = gold.steps.filter((_, at) => at >= next && !steps[at]).map(wordsOf);
  // Other designs are measured by what their own searches find, as the published agents were.
  const sought = keepsLibrary ? searched : undefined;
  const unsought = [...new Set(lacking)].filter((words) => sought && !sought.includes(words));
  if (unsought.length > 0) {
    return { calls: [{ name: SEARCH_LIBRARY.name, args: { action_descriptions: unsought } }] };
  }
  const ready: PlanStep[] = [];
  for (const step of steps.slice(next)) {
    if (!step || isOpen(step, results.length)) break;
    ready.push(step);
  }
  if (ready.length > 0) {
    const calls = ready.map(({ tool, args }) => ({ name: tool, args: known(args, results) }));
    return { calls: search ? calls.slice(0, 1) : calls };
  }
  const missing =
    lacking.length > 0 ? `no tool was found to ${lacking.join(" or ")}` : "no tool does this";
  return end(input, [`It cannot be done: ${missing}.`, ...results.map(inWords)].join(" "), false);
}

/** In a task tree: one call, from the results of earlier tasks. */
function replyToTask(
  { input, gold }: Asked<StageInputs["act"]>,
  steps: readonly (PlanStep | undefined)[],
): RuleReply {
  const { task, observations } = input;
  const at = gold.steps.findIndex((_, index) => stepText(gold, index) === task?.text);
  const step = steps[at];
  const [done] = observations;
  if (done) return end(input, done.error ?? inWords(done.result), done.error === undefined);
  if (!step) return end(input, "No tool on offer fits.", false);
  const results = gold.steps.map((_, index) => {
    const earlier = task?.earlierResults.find((one) => one.task === stepText(gold, index));
    return earlier && (parseJson(earlier.result) ?? earlier.result);
  });
  return { calls: [{ name: step.tool, args: known(step.args, results) }] };
}

function known(args: PlanStep["args"], results: readonly unknown[]): Record<string, unknown> {
  return Object(filled(args, results)) as Record<string, unknown>;
}

/** Ends the run, the task or the branch in the graph's own form; a model without tools answers in words. */
function end(input: StageInputs["act"], message: unknown, solved: boolean): RuleReply {
  const text = inWords(message);
  const { tools, observations, search, searched } = input;
  if (tools.length === 0 && observations.length === 0 && !search && !searched) return { text };
  return ended(input, text, solved);
}

function replyToDecompose({ input, gold }: Asked<StageInputs["decompose"]>): RuleReply {
  const { style, task, request } = input;
  const isSplit = task === request && (style !== "tree" || gold.steps.length > 1);
  const subtasks = isSplit ? gold.steps.map((_, at) => stepText(gold, at)) : [];
  return json({ subtasks: isSplit && subtasks.length === 0 ? [request] : subtasks });
}

/** Names each operation that is needed in general words, except those that found nothing. */
function replyToPhraseSearch({ input, gold }: Asked<StageInputs["phraseSearch"]>): RuleReply {
  const { subtasks, tried, request } = input;
  const searches = subtasks.flatMap((subtask, at) => {
    const own = wordsOfTask(subtask, gold);
    const all = own === undefined ? gold.steps.map(wordsOf) : [own];
    const phrases = all.length > 0 ? all : [request];
    const fresh = [...new Set(phrases)].filter((phrase) => !tried.includes(phrase));
    return fresh.map((phrase) => ({ subtask: at + 1, phrase }));
  });
  return { calls: [{ name: SEARCH_TOOLS.name, args: { searches } }] };
}

function wordsOfTask(task: string, gold: Gold): string | undefined {
  const step = gold.steps.find((_, at) => stepText(gold, at) === task);
  return step && wordsOf(step);
}

/** The whole program, what to search for, or why there is none. */
function replyToWriteProgram({ input, gold, seed }: Asked<StageInputs["writeProgram"]>): RuleReply {
  const { request, tools, contents, likely = "", searched, missed, failed } = input;
  const listed = `${contents?.text ?? ""}\n${likely}`;
  const plan = plannedWith({ tools, listed }, { gold, seed, request });
  const sought = [...searched.map(({ phrase }) => phrase), ...missed];
  const lacking = [...new Set(plan.lacking.map(wordsOf))];
  if (failed?.problems.length)
    return program(`stop(${JSON.stringify(failed.problems.join("; "))});`);
  if (gold.steps.length === 0) return program('stop("No function does this.");');
  if (lacking.length === 0) return program(gold.program ?? programText(plan));
  const unsought = lacking.filter((words) => !sought.includes(words));
  const lines = unsought.map((words) => `need(${JSON.stringify(words)});`);
  const words = `No function was found to ${lacking.join(" or ")}.`;
  return program(lines.length > 0 ? lines.join("\n") : `stop(${JSON.stringify(words)});`);
}

function program(code: string): RuleReply {
  return { text: `\`\`\`ts\n${code}\n\`\`\`` };
}

/** The gold steps with the names by which their tools are shown, or of others by mistake; undefined if not shown. */
export function shownSteps(
  { tools, listed = "" }: Shown,
  { gold, seed, request }: { gold: Gold; seed: number; request: string },
): (PlanStep | undefined)[] {
  const draws = drawsIn([seed, request]);
  const names = [...tools, ...(listed.match(/[\w.-]+/g) ?? []).map((name) => ({ name }))];
  return gold.steps.map((step, at) => {
    const tool = namesIn(names, step.tool);
    if (tool === undefined) return undefined;
    const others = tools.filter(({ name }) => name !== tool);
    const other = others[Math.floor(draws(`which ${at}`) * others.length)];
    if (!other || draws(`errs ${at}`) >= ERRS) return { tool, args: step.args };
    return { tool: other.name, args: argumentsOf(other, step) };
  });
}

/** The name under which a tool is shown, whatever a provider or code makes of it. */
function namesIn(shown: readonly { name: string }[], id: string): string | undefined {
  const wanted = letters(id);
  const found =
    shown.find(({ name }) => name === id) ??
    shown.find(({ name }) => letters(name) === wanted) ??
    shown.find(({ name }) => name === memberOf(id));
  return found?.name;
}

function letters(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/g, "");
}

/** The values of a step for the required parameters of another tool, in order. */
function argumentsOf({ parameters }: OfferedTool, { args }: PlanStep): PlanStep["args"] {
  const required = Array.isArray(parameters["required"]) ? parameters["required"].map(String) : [];
  const values = Object.values(args);
  return Object.fromEntries(
    required.flatMap((name, at) => {
      const value = values[at % values.length];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
