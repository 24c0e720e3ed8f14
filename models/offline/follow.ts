import { isDeepStrictEqual } from "node:util";
import type { ActInput } from "../../nodes/acting/actInput.js";
import type { Observation } from "../../nodes/shared/stageInputs.js";
import { SEARCH_LIBRARY } from "../../tools/control.js";
import type { Choice } from "./choose.js";
import type { PlannedCall } from "../prompt.js";
import { searchPhrases } from "./phrases.js";
import type { Mention } from "./quantities.js";
import {
  NO_FITTING_TOOL,
  choicesFor,
  decide,
  largerFirst,
  readStep,
  sentencesOf,
} from "./stepChoices.js";

/** A call to make next. */
export interface NextCall {
  tool: string;
  args: Record<string, unknown>;
}

/** How far a step is. */
export type StepState =
  | { state: "done"; result: unknown; tool: string }
  | { state: "ready"; call: NextCall }
  | { state: "waiting" }
  | { state: "failed"; reason: string };

/** Most calls for one step: the first, and one after an error. */
const MOST_ATTEMPTS = 2;

/**
 * Finds out how far the steps are. Nothing is remembered between visits: calls are planned again and looked up among
 * the observations, so that a resumed or forked run continues where it is.
 *
 * @param options.avoided calls not to make, even if they would be right
 * @param options.earlier results of earlier tasks, the first being "the result of step 1"; the steps are numbered after
 * them
 */
export async function followSteps(options: {
  steps: readonly string[];
  input: ActInput;
  avoided?: readonly NextCall[];
  earlier?: readonly unknown[];
}): Promise<StepState[]> {
  const { steps, input, avoided = [], earlier = [] } = options;
  const record = callRecord(input, avoided);
  const tools = [...input.tools, ...(input.retired ?? [])];
  const results = new Map(earlier.map((result, at) => [at + 1, result]));
  const sentences = sentencesOf(input.request);
  const states: StepState[] = earlier.map((result) => ({ state: "done", result, tool: "" }));
  for (const step of steps) {
    const at = states.length;
    const read = readStep(step);
    const mentions = largerFirst({ ...read, results });
    const blocked = blockerOf({ mentions, states, at });
    if (blocked) {
      states.push(blocked);
      continue;
    }
    const choices = await choicesFor({ ...read, mentions, sentences, tools, results });
    const state = stateOf(choices, record);
    if (state.state === "done") results.set(at + 1, state.result);
    states.push(state);
  }
  return states.slice(earlier.length);
}

/** The calls made so far, and those allowed. */
interface CallRecord {
  /** Observations that belong to no step yet. */
  unclaimed: Set<Observation>;
  /** Observations that any number of steps may use. */
  shared: readonly Observation[];
  mayCall: (call: NextCall) => boolean;
}

/** A search over steps repeats no call, so steps that need the same one share it. */
function callRecord(input: ActInput, avoided: readonly NextCall[]): CallRecord {
  const offered = new Set(input.tools.map(({ name }) => name));
  return {
    unclaimed: new Set(input.observations),
    shared: input.search ? input.observations : [],
    mayCall: (call) =>
      offered.has(call.tool) && !avoided.some((other) => isDeepStrictEqual(other, call)),
  };
}

/** A step waits for the results that it uses, and fails if they do. */
function blockerOf(options: {
  mentions: Mention[];
  states: StepState[];
  at: number;
}): StepState | undefined {
  const { mentions, states, at } = options;
  for (const mention of mentions) {
    if (mention.kind !== "reference") continue;
    const used = states[Number(mention.value) - 1];
    if (!used || Number(mention.value) > at) {
      return {
        state: "failed",
        reason: `it refers to step ${mention.value}, which is not before it`,
      };
    }
    if (used.state === "failed")
      return { state: "failed", reason: `step ${mention.value} has no result` };
    if (used.state !== "done") return { state: "waiting" };
  }
  return undefined;
}

/** The state by the first choice that was called or can be; if there is none, why. */
function stateOf(choices: Choice[], record: CallRecord): StepState {
  const decided = decide(choices);
  if ("lack" in decided) return { state: "failed", reason: decided.reason };
  const errors: string[] = [];
  const closed: string[] = [];
  for (const { tool, filling } of decided.sure) {
    const call = { tool: tool.name, args: filling.args };
    const seen = claim(call, record);
    if (seen && seen.error === undefined) {
      return { state: "done", result: seen.result, tool: seen.tool };
    }
    if (seen) errors.push(`${seen.tool}: ${seen.error}`);
    else if (record.mayCall(call)) return { state: "ready", call };
    else closed.push(`${tool.name} is not to be called any more`);
    if (errors.length === MOST_ATTEMPTS) break;
  }
  return { state: "failed", reason: [...errors, ...closed].join("; ") };
}

/** The observation of a call: with the same arguments, or (if a person edited them) of the same tool. */
function claim(call: NextCall, { unclaimed, shared }: CallRecord): Observation | undefined {
  const isSame = ({ tool, args }: Observation): boolean =>
    isDeepStrictEqual({ tool, args }, { ...call });
  const sameTool = [...unclaimed].filter(({ tool }) => tool === call.tool);
  const seen = sameTool.find(isSame) ?? shared.find(isSame) ?? sameTool[0];
  if (seen) unclaimed.delete(seen);
  return seen;
}

/**
 * The calls to make now: pure computations together, any other call alone and in order, because it may change what a
 * later one finds.
 */
export function nextCalls(states: readonly StepState[]): PlannedCall[] {
  const ready = states.flatMap((state) => (state.state === "ready" ? [state.call] : []));
  const [first, ...others] = ready.map(({ tool, args }) => ({ name: tool, args }));
  if (!first) return [];
  return isComputation(first) ? [first, ...others.filter(isComputation)] : [first];
}

function isComputation({ args }: PlannedCall): boolean {
  return Object.values(args)
    .flat()
    .every((value) => typeof value === "number");
}

/** A search for new phrases; undefined if there are none, or searching is not possible. */
export function searchFor(
  phrases: readonly string[],
  { searched }: Pick<ActInput, "searched">,
): PlannedCall[] | undefined {
  if (!searched) return undefined;
  const known = new Set(searched.map((phrase) => phrase.trim().toLowerCase()));
  const fresh = [...new Set(phrases)].filter((phrase) => !known.has(phrase.trim().toLowerCase()));
  if (fresh.length === 0) return undefined;
  return [{ name: SEARCH_LIBRARY.name, args: { action_descriptions: fresh } }];
}

/** A search, once, for steps that none of the offered tools does. */
export function searchForTools(
  { steps, states }: { steps: readonly string[]; states: readonly StepState[] },
  input: Pick<ActInput, "searched">,
): PlannedCall[] | undefined {
  const lacking = steps.filter((_, at) => {
    const state = states[at];
    return state?.state === "failed" && state.reason === NO_FITTING_TOOL;
  });
  return searchForSteps(lacking, input);
}

/** A search for tools that do these steps. */
export function searchForSteps(
  steps: readonly string[],
  input: Pick<ActInput, "searched">,
): PlannedCall[] | undefined {
  const phrases = steps.flatMap((step) => searchPhrases(step));
  return searchFor(phrases, input);
}
