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

/** Calls that are made for one step: the first, and one repair after an error. */
const MOST_ATTEMPTS = 2;

/** A tool whose meaning is farther than this behind the nearest one does something else. */
const MEANING_SPREAD = 0.15;

/**
 * Finds out how far the steps are. Nothing is remembered between visits: the calls are planned anew
 * and looked for among the observations, so that a resumed or forked run goes on where it stands.
 */
export async function followSteps(options: {
  steps: readonly string[];
  input: ActInput;
  encoder: SentenceEncoder;
}): Promise<StepState[]> {
  const { steps, input, encoder } = options;
  const unclaimed = new Set(input.observations);
  const results = new Map<number, unknown>();
  const sentences = input.request.split(/(?<=[.?!])\s+/);
  const states: StepState[] = [];
  for (const [at, step] of steps.entries()) {
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
    const choices = await rankTools({ tools: input.tools, ...request }, encoder);
    const state = stateOf({ choices, unclaimed });
    if (state.state === "done") results.set(at + 1, state.result);
    states.push(state);
  }
  return states;
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

function stateOf(options: { choices: Choice[]; unclaimed: Set<Observation> }): StepState {
  const { choices, unclaimed } = options;
  const closest = Math.max(...choices.map(({ meaning }) => meaning));
  const complete = choices.filter(
    ({ filling, meaning }) => filling.missing.length === 0 && meaning > closest - MEANING_SPREAD,
  );
  const errors: string[] = [];
  const sure = complete.filter(({ filling }) => filling.guessed.length === 0);
  for (const { tool, filling } of sure.slice(0, MOST_ATTEMPTS)) {
    const seen = claim({ call: { tool: tool.name, args: filling.args }, unclaimed });
    if (!seen) return { state: "ready", call: { tool: tool.name, args: filling.args } };
    if (seen.error === undefined) return { state: "done", result: seen.result, tool: seen.tool };
    errors.push(`${seen.tool}: ${seen.error}`);
  }
  if (errors.length > 0) return { state: "failed", reason: errors.join("; ") };
  const guess = complete.find(({ filling }) => filling.guessed.length > 0);
  if (guess) return { state: "failed", reason: unclear(guess) };
  const nearest = choices.find(({ meaning }) => meaning === closest);
  if (!nearest) return { state: "failed", reason: "none of the offered tools does this" };
  const { tool, filling } = nearest;
  return {
    state: "failed",
    reason: `no value was found for ${filling.missing.join(", ")} of ${tool.name}`,
  };
}

function unclear({ tool, filling }: Choice): string {
  return `it is not clear which value is meant for ${filling.guessed.join(", ")} of ${tool.name}`;
}

/** The observation of a call: of the same arguments, else (edited by a person) of the same tool. */
function claim(options: { call: NextCall; unclaimed: Set<Observation> }): Observation | undefined {
  const { call, unclaimed } = options;
  const sameTool = [...unclaimed].filter(({ tool }) => tool === call.tool);
  const seen = sameTool.find(({ args }) => isDeepStrictEqual(args, call.args)) ?? sameTool[0];
  if (seen) unclaimed.delete(seen);
  return seen;
}
