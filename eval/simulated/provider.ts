import { InvalidSetting, UnknownName } from "../../common/errors.js";
import type { RuleQuestion, RuleReply } from "../../models/chat/ruleModel.js";
import { registerChatProvider } from "../../models/providers.js";
import type { OfferedTool, Stage, StageInputs } from "../../nodes/kit/stageInputs.js";
import type { PlanStep, PlanValue } from "../../plans/steps/plan.js";
import {
  programText,
  isPlainObject,
  referencesIn,
  writeReference,
} from "../../plans/steps/references.js";
import type { Task } from "../benchmarks/benchmark.js";
import { answerText, nextStep } from "./act.js";
import { codeIn, findingFor, readingsIn, readingOf, readNeeds, speaksOf } from "./findings.js";
import { ended, type Gold, goldOf, inWords, json } from "./goldSteps.js";
import { DEFAULT_SEED, drawsIn, POLICY_TRAITS, type PolicyTraits } from "./policyParameters.js";

/** What may be used as an argument, by name; the last is the newest. */
type Known = Record<string, PlanValue>;

/** Settings of a policy. */
export interface PolicySettings {
  seed: number;
  traits: PolicyTraits;
}

/** What a stand-in for a language model says to a question; nothing if it does not simulate the stage. */
type StandIn = (
  question: RuleQuestion,
  known: { seed: number; gold: Gold | undefined },
) => RuleReply | Promise<RuleReply> | undefined;

const STAND_INS: Record<string, () => Promise<StandIn>> = {
  gold: async () => (await import("./gold.js")).replyByGold,
  policy:
    async () =>
    (question, { seed }) =>
      replyByPolicy(question, { seed, traits: POLICY_TRAITS }),
  values: async () => replyByValues,
};

/** What tasks need, by their requests: of all experiments of this process. */
const golds = new Map<string, Gold>();

/**
 * Registers the provider `simulated`; its models are loaded when opened.
 *
 * @param tasks whose gold calls `simulated:gold` is to know
 */
export function registerSimulated(tasks: readonly Task[] = []): void {
  for (const task of tasks) {
    const gold = goldOf(task);
    if (gold) golds.set(task.query, gold);
  }
  registerChatProvider("simulated", {
    structuredReplies: "stage",
    makeChat: async (model, { seed = DEFAULT_SEED }) => {
      const available = Object.keys(STAND_INS);
      const load = available.includes(model) ? STAND_INS[model] : undefined;
      if (!load) throw new UnknownName({ kind: "simulated model", wanted: model, available });
      const { RuleModel } = await import("../../models/chat/ruleModel.js");
      const [name, replyTo] = [`simulated:${model}`, await load()];
      return new RuleModel(name, async (question) => {
        const { request } = question.input as { request: string };
        const reply = await replyTo(question, { seed, gold: golds.get(request) });
        if (reply) return reply;
        throw new InvalidSetting({
          setting: `model ${name}`,
          problem: `it was asked at the stage ${question.stage}, which is not simulated`,
          hint: "Use another graph, such as react, or a language model",
        });
      });
    },
  });
}

/** The simulated world does not model errors at other stages. */
const REPLIES: {
  [K in Stage]?: (input: StageInputs[K], settings: PolicySettings) => RuleReply;
} = { act: nextStep, judge: replyToJudge, vote: replyToVote, summarize: replyToSummarize };

/**
 * A stand-in for an imperfect language model, to compare graphs in a simulated world (the benchmark `priced`) without a
 * model. It picks tools by their descriptions and errs as often as {@link POLICY_TRAITS} say. It reads only what a model
 * is shown. The same seed and situation give the same reply, apart from call ids.
 */
export function replyByPolicy({ stage, input }: RuleQuestion, settings: PolicySettings) {
  return REPLIES[stage as Stage]?.(input as never, settings);
}

/** A call helped if it returned a code for something that was asked for. */
function replyToJudge(input: StageInputs["judge"], { seed, traits }: PolicySettings): RuleReply {
  const { request, result, tool, args } = input;
  const told = codeIn(result, request) !== undefined;
  const isHelpful = told && readNeeds(request).some((need) => speaksOf(result, need));
  const draws = drawsIn([seed, request, tool.name, args, result]);
  const helpful = draws("judge") < traits.judgesRight ? isHelpful : !isHelpful;
  const reason = helpful
    ? "It tells something that was asked for."
    : "It does not tell what was asked.";
  return json({ reason, helpful });
}

/** Prefers the continuation that found more of what was asked for, unless the policy errs; ties are drawn. */
function replyToVote(input: StageInputs["vote"], { seed, traits }: PolicySettings): RuleReply {
  const { request, history, first, second } = input;
  const before = history.flatMap(readingsIn);
  const [a, b] = [first, second].map((each) => {
    const readings = [...before, ...readingsIn(each)];
    return readNeeds(request).filter((need) => findingFor({ need, readings, request })).length;
  });
  const draws = drawsIn([seed, request, history, first, second]);
  const isRight = draws("vote") < traits.votesRight;
  const isFirst = a === b ? draws("tie") < 0.5 : (a ?? 0) > (b ?? 0) === isRight;
  return json({ reason: "It has told more of what was asked.", better: isFirst ? "A" : "B" });
}

/** All facts that any call returned. */
function replyToSummarize({ request, findings, draft }: StageInputs["summarize"]): RuleReply {
  const readings = findings.flatMap(({ tool, calls }) =>
    calls.map((call) => readingOf({ ...call, tool: tool.name })),
  );
  const sought = readNeeds(request).map((need) => ({
    need,
    found: findingFor({ need, readings, request }),
  }));
  const isEmpty = sought.every(({ found }) => found === undefined);
  return json({ answer: isEmpty && draft ? draft : answerText(sought) });
}

/**
 * A stand-in for a model that reads a request rightly and plans nothing: it knows the values that the request gives, but no
 * calls. It makes the first call on offer whose arguments it has, the newest result among them if that can be, until it has
 * what is asked for. So where tools are chained, the path is the graph's own work.
 */
const replyByValues: StandIn = (
  { stage, input, byRules },
  { gold = { steps: [], answer: "" } },
) => {
  if (stage === "act") return replyToAct(input as StageInputs["act"], gold);
  if (stage === "writeProgram")
    return replyToWriteProgram(input as StageInputs["writeProgram"], gold);
  if (stage === "judge") return { text: '{"reason":"It was made.","helpful":true}' };
  if (stage === "summarize") return { text: '{"answer":"Nothing was found."}' };
  return byRules ? byRules() : { text: "" };
};

function replyToAct({ tools, observations, search }: StageInputs["act"], gold: Gold): RuleReply {
  let known = valuesIn(gold);
  const out = new Set<string>();
  for (const { tool, result, error } of observations) {
    if (error !== undefined) out.add(tool);
    const told = isPlainObject(result) ? result : {};
    for (const name of [told["unavailable"] ?? []].flat()) out.add(inWords(name));
    // Who asks for something else has no use for what was found.
    known =
      told["user"] === undefined
        ? { ...known, ...(told as Known) }
        : valuesIn(gold, { asChanged: true });
  }
  const found = known[goalOf(gold)];
  const tool =
    found === undefined
      ? nextTool(
          tools.filter(({ name }) => !out.has(name)),
          known,
        )
      : undefined;
  if (tool) return { calls: [{ name: tool.name, args: argumentsOf(tool, known) }] };
  const solved = found !== undefined;
  const text = solved ? `<answer> ${inWords(found)} </answer>` : "No call is left to make.";
  return ended({ search }, text, solved);
}

function replyToWriteProgram({ tools }: StageInputs["writeProgram"], gold: Gold): RuleReply {
  const known = valuesIn(gold);
  const goal = goalOf(gold);
  const steps: PlanStep[] = [];
  for (let tool = nextTool(tools, known); tool && !known[goal]; tool = nextTool(tools, known)) {
    steps.push({ tool: tool.name, args: argumentsOf(tool, known) });
    for (const name of givenBy(tool)) known[name] = { $prev: steps.length - 1, path: [name] };
  }
  const answer = `<answer> ${writeReference({ $prev: steps.length - 1, path: [goal] })} </answer>`;
  return { text: `\`\`\`ts\n${programText({ steps, answer })}\n\`\`\`` };
}

/** The values of the request; where it is changed while gold calls are made, later ones have those of the change. */
function valuesIn({ steps }: Gold, { asChanged = false } = {}): Known {
  const known: Known = {};
  for (const [name, value] of steps.flatMap(({ args }) => Object.entries(args))) {
    if (referencesIn(value).length > 0) continue;
    known[name] = asChanged ? value : (known[name] ?? value);
  }
  return known;
}

/** Name of what the last gold step returns. */
function goalOf({ answer }: Gold): string {
  return String(/\.(\w+)/.exec(answer)?.[1]);
}

function nextTool(tools: readonly OfferedTool[], known: Known): OfferedTool | undefined {
  const fitting = tools.filter(
    (tool) =>
      takenBy(tool).every((name) => known[name] !== undefined) &&
      givenBy(tool).some((name) => known[name] === undefined),
  );
  const newest = Object.keys(known).at(-1) ?? "";
  return fitting.find((tool) => takenBy(tool).includes(newest)) ?? fitting[0];
}

function argumentsOf(tool: OfferedTool, known: Known): PlanStep["args"] {
  return Object.fromEntries(takenBy(tool).map((name) => [name, known[name] ?? ""]));
}

function takenBy({ parameters }: OfferedTool): string[] {
  return [parameters["required"] ?? []].flat().map(String);
}

function givenBy({ returns }: OfferedTool): string[] {
  return Object.keys(Object(returns?.["properties"]));
}
