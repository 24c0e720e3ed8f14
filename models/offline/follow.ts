import { isDeepStrictEqual } from "node:util";
import type { ActInput, Observation } from "../../prompts/stages.js";
import type { SentenceEncoder } from "../encoder.js";
import { type Choice, rankTools } from "./choose.js";
import { numbersIn, readGiven, tellsDistance } from "./given.js";
import { withoutAsking } from "./phrases.js";
import { type Mention, readMentions } from "./quantities.js";
import { conceptsOf } from "./text.js";

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

/** Why a step fails that no tool on offer does, whatever its values. */
export const NO_FITTING_TOOL = "none of the offered tools does this";

/** Calls that are made for one step: the first, and one repair after an error. */
const MOST_ATTEMPTS = 2;

/** A tool whose meaning is farther than this behind the nearest one does something else. */
const MEANING_SPREAD = 0.15;

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
  const sentences = input.request.split(/(?<=[.?!])\s+/);
  const states: StepState[] = earlier.map((result) => ({ state: "done", result, tool: "" }));
  for (const step of steps) {
    const at = states.length;
    const { asked, facts } = readGiven(step);
    const mentions = largerFirst({ step: asked, mentions: readMentions(asked), results });
    const blocked = blockerOf({ mentions, states, at });
    if (blocked) {
      states.push(blocked);
      continue;
    }
    const context = aboutTheSame({ step: asked, sentences });
    const given = numbersIn(facts);
    const told = sentences.length > 1 ? sentences : [];
    const request = { step: asked, facts, told, mentions, given, context, results };
    const choices = await rankTools({ tools, ...request }, encoder);
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

/** Values in the sentences that speak of a thing that the step speaks of, without its own. */
function aboutTheSame({ step, sentences }: { step: string; sentences: string[] }): Mention[] {
  const concepts = conceptsOf(withoutAsking(step));
  const own = new Set(readMentions(step).map(({ written }) => written));
  return sentences
    .filter((sentence) => conceptsOf(sentence).some((concept) => concepts.includes(concept)))
    .filter((sentence) => !tellsDistance(sentence))
    .flatMap((sentence) => readMentions(sentence))
    .filter(({ written }) => !own.has(written));
}

/** A difference between two values has no order in English; the larger one comes first. */
function largerFirst(options: {
  step: string;
  mentions: Mention[];
  results: ReadonlyMap<number, unknown>;
}): Mention[] {
  const { step, mentions, results } = options;
  if (!/\bdifference between\b/i.test(step) || mentions.length !== 2) return mentions;
  const sizes = mentions.map(({ kind, value }) =>
    Number(kind === "reference" ? results.get(Number(value)) : value),
  );
  return (sizes[0] ?? 0) < (sizes[1] ?? 0) ? mentions.toReversed() : mentions;
}

function stateOf(choices: Choice[], record: CallRecord): StepState {
  const closest = Math.max(...choices.map(({ meaning }) => meaning));
  const complete = choices.filter(
    ({ filling, meaning }) => filling.missing.length === 0 && meaning > closest - MEANING_SPREAD,
  );
  const sure = complete.filter(({ filling }) => filling.guessed.length === 0);
  const tried = firstUsable(sure, record);
  if (tried) return tried;
  const guess = complete.find(({ filling }) => filling.guessed.length > 0);
  if (guess) return { state: "failed", reason: unclear(guess) };
  const nearest = choices.find(({ meaning }) => meaning === closest);
  if (!nearest) return { state: "failed", reason: NO_FITTING_TOOL };
  const { tool, filling } = nearest;
  return {
    state: "failed",
    reason: `no value was found for ${filling.missing.join(", ")} of ${tool.name}`,
  };
}

/** The first choice that was made already or can be; undefined where there is no choice at all. */
function firstUsable(choices: Choice[], record: CallRecord): StepState | undefined {
  const errors: string[] = [];
  const closed: string[] = [];
  for (const { tool, filling } of choices) {
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
  const reasons = [...errors, ...closed];
  return reasons.length > 0 ? { state: "failed", reason: reasons.join("; ") } : undefined;
}

function unclear({ tool, filling }: Choice): string {
  return `it is not clear which value is meant for ${filling.guessed.join(", ")} of ${tool.name}`;
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
