import type { PlanStep, PlanValue } from "../../plans/steps/plan.js";
import { programText } from "../../plans/steps/planText.js";
import { isPlainObject, referencesIn, writeReference } from "../../plans/steps/references.js";
import { RuleModel, type RuleReply } from "../../models/chat/ruleModel.js";
import type { OfferedTool, StageInputs } from "../../nodes/kit/stageInputs.js";
import { FINISH, STOP } from "../../tools/control.js";
import { type Gold, inWords } from "./goldSteps.js";
import { SIMULATED_VALUES } from "./policyParameters.js";

/** What may be used as an argument, by name; the last is the newest. */
type Known = Record<string, PlanValue>;

/**
 * A stand-in for a model that reads a request rightly and plans nothing: it knows the values that the request gives, but no
 * calls. It makes the first call on offer whose arguments it has, the newest result among them if that can be, until it has
 * what is asked for. So where tools are chained, the path is the graph's own work.
 */
export function simulatedValues(goldOf: (request: string) => Gold | undefined): RuleModel {
  return new RuleModel(SIMULATED_VALUES, async ({ stage, input, byRules }) => {
    const gold = goldOf((input as { request: string }).request) ?? { steps: [], answer: "" };
    if (stage === "act") return replyToAct(input as StageInputs["act"], gold);
    if (stage === "writeProgram")
      return replyToWriteProgram(input as StageInputs["writeProgram"], gold);
    if (stage === "judge") return { text: '{"reason":"It was made.","helpful":true}' };
    if (stage === "summarize") return { text: '{"answer":"Nothing was found."}' };
    return byRules ? byRules() : { text: "" };
  });
}

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
  const call = search
    ? { name: FINISH.name, args: { return_type: "give_answer", final_answer: text, solved } }
    : { name: STOP.name, args: { message: text, solved } };
  return { calls: [call] };
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
