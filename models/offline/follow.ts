import { isDeepStrictEqual } from "node:util";
import type { ActInput } from "../../nodes/acting/actInput.js";
import type { Observation } from "../../nodes/shared/stageInputs.js";
import type { SentenceEncoder } from "../encoder.js";
import type { Choice } from "./choose.js";
import type { PlannedCall } from "./message.js";
import type { Mention } from "./quantities.js";
import { choicesFor, decide, largerFirst, readStep, sentencesOf } from "./stepChoices.js";

/** A call that is to be made next. */
export interface NextCall {
  tool: string;
  args: Record<string, unknown>;
}

/** What has come of one step so far. */
export type StepState =
  | { state: "done"; result: unknown; tool: string }
  | { state: "ready"; call: NextCall }
  | { state: "waiting" }
  | { state: "failed"; reason: string };

/** Calls that are made for one step: the first, and one repair after an error. */
const MOST_ATTEMPTS = 2;

/**
 * Finds out how far the steps are. Nothing is remembered between visits: the calls are planned anew
 * and looked for among the observations, so that a resumed or forked run goes on where it stands.
 *
 * @param options.avoided calls that are not to be made, whether or not they would be right
 * @param options.earlier results of earlier tasks: "the result of step 1" is the first of them, and the
 * steps are numbered on behind them
 */
export async function followSteps(options: {
  steps: readonly string[];
  input: ActInput;
  encoder: SentenceEncoder;
  avoided?: readonly NextCall[];
  earlier?: readonly unknown[];
}): Promise<StepState[]> {
  const { steps, input, encoder, avoided = [], earlier = [] } = options;
  const record = recordOf(input, avoided);
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
    const choices = await choicesFor({ ...read, mentions, sentences, tools, results }, encoder);
    const state = stateOf(choices, record);
    if (state.state === "done") results.set(at + 1, state.result);
    states.push(state);
  }
  return states.slice(earlier.length);
}

/** What is known of calls when a step is looked at. */
interface CallRecord {
  /** Observations that no step has taken for its own yet. */
  unclaimed: Set<Observation>;
  /** Observations that any number of steps may take for their own. */
  shared: readonly Observation[];
  mayCall: (call: NextCall) => boolean;
}

/** In a search over steps no call is repeated: steps that need the same one share it. */
function recordOf(input: ActInput, avoided: readonly NextCall[]): CallRecord {
  const offered = new Set(input.tools.map(({ name }) => name));
  return {
    unclaimed: new Set(input.observations),
    shared: input.search ? input.observations : [],
    mayCall: (call) =>
      offered.has(call.tool) && !avoided.some((other) => isDeepStrictEqual(other, call)),
  };
}

/** A step has to wait for the results that it uses, and fails with them. */
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

/** The first choice that was made already or can be; with none of either, why not. */
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

/** The observation of a call: of the same arguments, else (edited by a person) of the same tool. */
function claim(call: NextCall, { unclaimed, shared }: CallRecord): Observation | undefined {
  const isSame = ({ tool, args }: Observation): boolean =>
    isDeepStrictEqual({ tool, args }, { ...call });
  const sameTool = [...unclaimed].filter(({ tool }) => tool === call.tool);
  const seen = sameTool.find(isSame) ?? shared.find(isSame) ?? sameTool[0];
  if (seen) unclaimed.delete(seen);
  return seen;
}

/**
 * The calls to make now. Pure computations go together; any other call goes alone and in order,
 * since it may change what a later one finds.
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
