import { isDeepStrictEqual } from "node:util";
import type { OfferedTool } from "../../nodes/shared/stageInputs.js";
import type { SentenceEncoder } from "../encoder.js";
import { type Filling, fillArguments } from "./fill.js";
import type { FillRequest } from "./fill.js";
import { parametersOf } from "./parameters.js";
import { withGiven } from "./given.js";
import { factualPhrase, genericPhrase, operationOf } from "./phrases.js";
import { conceptsOf } from "./text.js";
import { conceptsOfTool, toolText } from "./toolConcepts.js";

/** A tool that could do a step, with its arguments. */
export interface Choice {
  tool: OfferedTool;
  filling: Filling;
  /** Nearness of meaning, 0 to about 1. */
  meaning: number;
  /** Meaning and arguments together; the highest is the best. */
  score: number;
}

/** A step as it is compared with tools: all that is needed to fill a call, save for the tool. */
export type ToolRequest = Omit<FillRequest, "tool"> & { tools: readonly OfferedTool[] };

/** Below this nearness a tool does something else. */
const MEANING_FLOOR = 0.3;

/** Only this many tools, nearest first, are tried with arguments. */
const TRIED = 12;

const MEANING_WEIGHT = { sentence: 0.5, words: 0.5 };
const FILLING_WEIGHT = { fit: 0.15, unused: 0.12 };

/** Chooses among the offered tools: the ones that could do a step, best first. */
export async function rankTools(
  { tools, ...request }: ToolRequest,
  encoder: SentenceEncoder,
): Promise<Choice[]> {
  const asked = withGiven({ asked: request.step, facts: request.facts });
  const phrase = factualPhrase(asked) ?? genericPhrase(asked);
  const meanings = await meaningsOf({ phrase, tools, encoder });
  const told = toldBy(request);
  const nearest = tools
    .map((tool, at) => ({ tool, meaning: meanings[at] ?? 0 }))
    .filter(({ tool, meaning }) => meaning >= MEANING_FLOOR && doesOperation(tool, told))
    .toSorted((one, other) => other.meaning - one.meaning)
    .slice(0, TRIED);
  const named = request.facts.length > 0 ? namedBy(told, nearest) : nearest;
  const choices = named.map(({ tool, meaning }) => {
    const filling = fillArguments({ tool, ...request });
    return { tool, filling, meaning, score: scoreOf({ meaning, filling }) };
  });
  return choices
    .filter(({ tool, filling }) => isCalledFor({ tool, filling, told }))
    .filter(({ filling }) => !leavesOperand(filling, told))
    .filter((choice) => !choices.some((rival) => isOtherKind({ choice, rival, told })))
    .toSorted((one, other) => other.score - one.score);
}

/** What a step and its request say, read once for all tools. */
interface Told {
  step: string;
  /** In several sentences, any of which may have the values of a step. */
  isInSentences: boolean;
  /** An operation on numbers, where the step is nothing else. */
  operation: string | undefined;
  asked: ReadonlySet<string>;
  /** With what is told beside the step. */
  said: ReadonlySet<string>;
}

function toldBy({ step, facts, told }: Omit<ToolRequest, "tools">): Told {
  // The facts that a step carries are about its own thing; the request may speak of others, too.
  const around = facts.length > 0 ? facts : told;
  return {
    step,
    isInSentences: told.length > 0,
    operation: operationOf(step),
    asked: new Set(conceptsOf(step)),
    said: new Set(conceptsOf([step, ...around].join(" "))),
  };
}

/** A tool that takes only some of the values of an operation ("sum of the numbers to n") is another one. */
function leavesOperand({ unused }: Filling, { operation }: Told): boolean {
  return unused > 0 && operation !== undefined;
}

/** Named values that stand for the name of a tool: "long" and "wide" speak of a rectangle. */
const NAMED_FOR_KIND = 2;

/**
 * Facts may fit a tool that does something else (a radius as the side of a square): the request has
 * to say all of what the tool is about, or to name several of its values.
 */
function isCalledFor(options: { tool: OfferedTool; filling: Filling; told: Told }): boolean {
  const { tool, filling, told } = options;
  if (!told.isInSentences || !takesOnlyNumbers(tool)) return true;
  if (PART_ONLY.test(told.step) && !PART_ONLY.test(tool.description)) return false;
  if (filling.named >= NAMED_FOR_KIND) return true;
  return isSaid(tool, told);
}

/** Tools whose nearness differs by no more than this are asked for alike. */
const AS_NEAR = 0.05;

/** Radius and height make a cone or a cylinder: which one has to be said. */
function isOtherKind(options: { choice: Choice; rival: Choice; told: Told }): boolean {
  const { choice, rival, told } = options;
  if (!told.isInSentences || choice === rival) return false;
  if (Math.abs(choice.meaning - rival.meaning) > AS_NEAR) return false;
  const [tool, other] = [choice.tool, rival.tool];
  if (isSaid(tool, told) || isSaid(other, told) || rival.filling.missing.length > 0) return false;
  const askedIn = (one: OfferedTool): string[] =>
    conceptsOfTool(one).name.filter((concept) => told.asked.has(concept));
  return (
    askedIn(tool).join(" ") === askedIn(other).join(" ") &&
    isDeepStrictEqual(choice.filling.args, rival.filling.args)
  );
}

/** Whether a request says all of what a tool is about. */
function isSaid(tool: OfferedTool, { said }: Told): boolean {
  return conceptsOfTool(tool).names.some((name) => name.every((concept) => said.has(concept)));
}

/**
 * The tools that a step calls by their whole name, where there are any: what it asks for by name is
 * not done by a tool of which the facts happen to speak, too.
 */
function namedBy<T extends { tool: OfferedTool }>({ asked }: Told, choices: T[]): T[] {
  const counted = choices.map((choice) => {
    const names = conceptsOfTool(choice.tool).names.map((name) => {
      const count = name.filter((concept) => asked.has(concept)).length;
      return { count, whole: count === name.length ? count : 0 };
    });
    const count = Math.max(0, ...names.map((name) => name.count));
    return { choice, count, whole: Math.max(0, ...names.map(({ whole }) => whole)) };
  });
  const most = Math.max(0, ...counted.map(({ whole }) => whole));
  return counted.filter(({ count }) => count >= most).map(({ choice }) => choice);
}

function takesOnlyNumbers(tool: OfferedTool): boolean {
  const types = parametersOf(tool).map(({ type, itemType }) => (type === "list" ? itemType : type));
  return types.every((type) => type === "number" || type === "integer");
}

/** Words by which a question asks for a part of what a tool would give. */
const PART_ONLY =
  /\b(?:not|without|except|alone|only|remaining|rest|outside|uncovered|one of|part of|share of)\b/i;

/** Numbers fit any operation, so that a tool has to name the very one that the step asks for. */
function doesOperation(tool: OfferedTool, told: Told): boolean {
  const [operation] = conceptsOf(told.operation ?? "");
  return operation === undefined || conceptsOfTool(tool).all.has(operation);
}

function scoreOf({ meaning, filling }: { meaning: number; filling: Filling }): number {
  const { fit, unused } = FILLING_WEIGHT;
  return meaning + fit * filling.fit - unused * filling.unused;
}

/** Nearness of every tool to a step: sentence vectors, and words that weigh more the rarer they are. */
async function meaningsOf(options: {
  phrase: string;
  tools: readonly OfferedTool[];
  encoder: SentenceEncoder;
}): Promise<number[]> {
  const { phrase, tools, encoder } = options;
  const vectors = await vectorsOf([phrase, ...tools.map((tool) => toolText(tool))], encoder);
  const [asked = [], ...offered] = vectors;
  const rarity = rarityAmong(tools);
  const phraseConcepts = conceptsOf(phrase);
  return tools.map((tool, at) => {
    const sentence = Math.max(0, dot(asked, offered[at] ?? []));
    const words = sharedWords({ asked: phraseConcepts, tool, rarity });
    return MEANING_WEIGHT.sentence * sentence + MEANING_WEIGHT.words * words;
  });
}

type Rarity = (concept: string) => number;

function rarityAmong(tools: readonly OfferedTool[]): Rarity {
  const counts = new Map<string, number>();
  for (const tool of tools) {
    for (const concept of conceptsOfTool(tool).all) {
      counts.set(concept, (counts.get(concept) ?? 0) + 1);
    }
  }
  return (concept) => Math.log(1 + (tools.length + 1) / ((counts.get(concept) ?? 0) + 1));
}

/** How much of a phrase a tool says, and how much of the tool's name the phrase says: 0 to 1. */
function sharedWords(options: { asked: string[]; tool: OfferedTool; rarity: Rarity }): number {
  const { asked, tool, rarity } = options;
  const { all, name, head } = conceptsOfTool(tool);
  const within = new Set(asked);
  const covered = share({ of: asked, within: all, rarity });
  const named = share({ of: name, within, rarity });
  const headed = share({ of: head, within, rarity });
  return 0.6 * covered + 0.15 * named + 0.25 * headed;
}

function share(options: { of: string[]; within: Set<string>; rarity: Rarity }): number {
  const { of, within, rarity } = options;
  const whole = of.reduce((sum, concept) => sum + rarity(concept), 0);
  const shared = of.reduce((sum, concept) => sum + (within.has(concept) ? rarity(concept) : 0), 0);
  return whole === 0 ? 0 : shared / whole;
}

const knownVectors = new Map<string, number[]>();

/** Texts kept with their vectors; far more than the tools of one run. */
const MOST_VECTORS = 20_000;

/** Vectors of texts; the same tools are offered again at every visit, so they are kept. */
async function vectorsOf(texts: string[], encoder: SentenceEncoder): Promise<number[][]> {
  if (knownVectors.size > MOST_VECTORS) knownVectors.clear();
  const missing = [...new Set(texts)].filter((text) => !knownVectors.has(text));
  const vectors = await encoder.embedDocuments(missing);
  for (const [at, text] of missing.entries()) knownVectors.set(text, vectors[at] ?? []);
  return texts.map((text) => knownVectors.get(text) ?? []);
}

function dot(one: number[], other: number[]): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}
