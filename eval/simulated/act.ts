import type { PlannedCall } from "../../models/prompt.js";
import type { RuleReply } from "../../models/chat/ruleModel.js";
import type { StageInputs } from "../../nodes/kit/stageInputs.js";
import { FINISH } from "../../tools/control.js";
import { ended } from "./goldSteps.js";
import { type Draws, drawsIn, type PolicyTraits } from "./policyParameters.js";
import {
  believer,
  findingFor,
  type Need,
  readingOf,
  readNeeds,
  readReference,
  speaksOf,
} from "./findings.js";

type ActInput = StageInputs["act"];

interface Sought {
  need: Need;
  found: string | undefined;
}

interface Situation {
  input: ActInput;
  sought: Sought[];
  traits: PolicyTraits;
  draws: Draws;
}

/**
 * The next step of the policy: one call, as in the published runs, or the end. It knows what a model is shown, and not
 * what tools are really useful for.
 */
export function nextStep(
  input: ActInput,
  { seed, traits }: { seed: number; traits: PolicyTraits },
): RuleReply {
  const { request, observations, search } = input;
  const believes = believer(drawsIn([seed, request]), traits.believesEmptyText);
  const readings = observations.map(readingOf);
  const sought = readNeeds(request).map((need) => ({
    need,
    found: findingFor({ need, readings, request, believes }),
  }));
  const attempts = search?.attempts.map(({ calls }) => calls) ?? [];
  const draws = drawsIn([seed, request, observations, attempts]);
  const situation = { input, sought, traits, draws };
  const isDone = sought.every(({ found }) => found !== undefined);
  const endsEarly = observations.length > 0 && draws("early") < traits.finishesEarly;
  if (isDone || endsEarly || input.tools.length === 0) return answer(situation);
  const call = repeated(situation) ?? nextCall(situation);
  if (call)
    return { text: draws("think") < traits.thinksAloud ? thought(call) : "", calls: [call] };
  return isExhausted(situation) ? giveUp(situation) : answer(situation);
}

/** The last call again, although nothing has changed. */
function repeated({ input, traits, draws }: Situation): PlannedCall | undefined {
  const last = input.observations.at(-1);
  if (!last || draws("repeat") >= traits.repeatsCall) return undefined;
  const { forbidden = [], ungranted = [], useless = [] } = input.withheld ?? {};
  const isWithheld = [...forbidden, ...ungranted, ...useless].includes(last.tool);
  if (isWithheld && draws("withheld") < traits.heedsWithheld) return undefined;
  return { name: last.tool, args: last.args };
}

/** A call for the first open need with an untried fitting tool, or sometimes a wrong call. */
function nextCall(situation: Situation): PlannedCall | undefined {
  const { input, sought, traits, draws } = situation;
  const [chosen] = openNeeds(sought).flatMap((need) => untried(situation, need).slice(0, 1));
  if (chosen === undefined) return undefined;
  const others = input.tools.filter(({ name }) => name !== chosen);
  const mistaken = others[Math.floor(draws("which") * others.length)];
  const isMistaken = mistaken !== undefined && draws("wrong") < traits.callsWrongTool;
  const name = isMistaken ? mistaken.name : chosen;
  return { name, args: argumentsFor(name, input) };
}

/**
 * Fitting tools that were called neither on this branch nor in earlier attempts at this point, the best first: if prices
 * are known and heeded, the affordable ones by price; otherwise by taste.
 */
function untried({ input, traits, draws }: Situation, need: Need): string[] {
  const { observations, search, budget } = input;
  const called = new Set([
    ...observations.map(({ tool }) => tool),
    ...(search?.attempts ?? []).flatMap(({ calls }) => calls.map(({ name }) => name)),
  ]);
  const fitting = fittingTools(input, need).filter((name) => !called.has(name));
  const liking = new Map(fitting.map((name) => [name, draws(`like ${name}`)]));
  if (!budget || draws("heed") >= traits.heedsPrices) return inOrder(fitting, liking);
  const prices = new Map(Object.entries(budget.prices));
  const affordable = fitting.filter((name) => (prices.get(name) ?? 0) <= budget.left);
  return inOrder(affordable, prices);
}

function inOrder(names: readonly string[], rank: ReadonlyMap<string, number>): string[] {
  return names.toSorted((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0));
}

function openNeeds(sought: readonly Sought[]): Need[] {
  return sought.filter(({ found }) => found === undefined).map(({ need }) => need);
}

function fittingTools({ tools }: ActInput, need: Need): string[] {
  return tools.filter(({ description }) => speaksOf(description, need)).map(({ name }) => name);
}

/** Every required argument gets the reference in the request, or else the request itself. */
function argumentsFor(name: string, { tools, request }: ActInput): Record<string, unknown> {
  const parameters = tools.find((tool) => tool.name === name)?.parameters;
  const required = Array.isArray(parameters?.["required"]) ? parameters["required"] : [];
  const value = readReference(request) ?? request;
  return Object.fromEntries(required.map((parameter) => [String(parameter), value]));
}

function thought({ name }: PlannedCall): string {
  return `${name} may tell what is still open.`;
}

/** All fitting tools of the open needs were called, and there was one: another branch may do better. */
function isExhausted({ input, sought }: Situation): boolean {
  const wanting = openNeeds(sought).filter((need) => fittingTools(input, need).length > 0);
  if (!input.search || wanting.length === 0) return false;
  const { budget } = input;
  if (!budget) return true;
  const prices = wanting.flatMap((need) =>
    fittingTools(input, need).map((name) => budget.prices[name] ?? 0),
  );
  return prices.some((price) => price <= budget.left);
}

function giveUp({ sought }: Situation): RuleReply {
  const open = openNeeds(sought).map(({ text }) => text);
  const why = `No tool that was called told ${open.join(" or ")}.`;
  const args = { return_type: "give_up_and_restart", final_answer: why };
  return { calls: [{ name: FINISH.name, args }] };
}

function answer({ input, sought }: Situation): RuleReply {
  const message = answerText(sought);
  const solved = sought.every(({ found }) => found !== undefined);
  return ended(input, message, solved);
}

/** What was found for each need. */
export function answerText(sought: readonly Sought[]): string {
  const lines = sought.map(({ need, found }) => `${need.text}: ${found ?? "not found"}`);
  return lines.length > 0 ? lines.join("; ") : "I do not see what is asked for.";
}
