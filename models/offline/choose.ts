import { isDeepStrictEqual } from "node:util";
import type { OfferedTool } from "../../prompts/stages.js";
import type { SentenceEncoder } from "../encoder.js";
import { type Filling, fillArguments } from "./fill.js";
import type { FillRequest } from "./fill.js";
import { parametersOf } from "./parameters.js";
import { withGiven } from "./given.js";
import { factualPhrase, genericPhrase, operationOf } from "./phrases.js";
import { conceptsOf, wordsOf } from "./text.js";

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
  const nearest = tools
    .map((tool, at) => ({ tool, meaning: meanings[at] ?? 0 }))
    .filter(({ tool, meaning }) => meaning >= MEANING_FLOOR && doesOperation(tool, request.step))
    .toSorted((one, other) => other.meaning - one.meaning)
    .slice(0, TRIED);
  const named = request.facts.length > 0 ? namedBy(request.step, nearest) : nearest;
  const choices = named.map(({ tool, meaning }) => {
    const filling = fillArguments({ tool, ...request });
    return { tool, filling, meaning, score: scoreOf({ meaning, filling }) };
  });
  return choices
    .filter(({ tool, filling }) => isCalledFor({ tool, filling, request }))
    .filter(({ filling }) => !leavesOperand({ filling, step: request.step }))
    .filter((choice) => !choices.some((rival) => isOtherKind({ choice, rival, request })))
    .toSorted((one, other) => other.score - one.score);
}

/** A tool that takes only some of the values of an operation ("sum of the numbers to n") is another one. */
function leavesOperand({ filling, step }: { filling: Filling; step: string }): boolean {
  return filling.unused > 0 && operationOf(step) !== undefined;
}

/** Named values that stand for the name of a tool: "long" and "wide" speak of a rectangle. */
const NAMED_FOR_KIND = 2;

/**
 * Facts may fit a tool that does something else (a radius as the side of a square): the request has
 * to say all of what the tool is about, or to name several of its values.
 */
function isCalledFor(options: { tool: OfferedTool; filling: Filling; request: Told }): boolean {
  const { tool, filling, request } = options;
  if (request.told.length === 0 || !takesOnlyNumbers(tool)) return true;
  if (PART_ONLY.test(request.step) && !PART_ONLY.test(tool.description)) return false;
  if (filling.named >= NAMED_FOR_KIND) return true;
  return isSaid(tool, request);
}

/** Tools whose nearness differs by no more than this are asked for alike. */
const AS_NEAR = 0.05;

/** Radius and height make a cone or a cylinder: which one has to be said. */
function isOtherKind(options: { choice: Choice; rival: Choice; request: Told }): boolean {
  const { choice, rival, request } = options;
  if (request.told.length === 0 || choice === rival) return false;
  if (Math.abs(choice.meaning - rival.meaning) > AS_NEAR) return false;
  const [tool, other] = [choice.tool, rival.tool];
  if (isSaid(tool, request) || isSaid(other, request) || rival.filling.missing.length > 0)
    return false;
  const asked = new Set(conceptsOf(request.step));
  const askedIn = ({ name }: OfferedTool): string[] =>
    conceptsOf(name).filter((concept) => asked.has(concept));
  return (
    askedIn(tool).join(" ") === askedIn(other).join(" ") &&
    isDeepStrictEqual(choice.filling.args, rival.filling.args)
  );
}

type Told = Pick<ToolRequest, "step" | "facts" | "told">;

/** Whether a request says all of what a tool is about. */
function isSaid(tool: OfferedTool, { step, facts, told }: Told): boolean {
  // The facts that a step carries are about its own thing; the request may speak of others, too.
  const said = new Set(conceptsOf([step, ...(facts.length > 0 ? facts : told)].join(" ")));
  return namesOf(tool).some((name) => name.every((concept) => said.has(concept)));
}

/**
 * The tools that a step calls by their whole name, where there are any: what it asks for by name is
 * not done by a tool of which the facts happen to speak, too.
 */
function namedBy<T extends { tool: OfferedTool }>(step: string, choices: T[]): T[] {
  const said = new Set(conceptsOf(step));
  const counted = choices.map((choice) => {
    const names = namesOf(choice.tool).map((name) => {
      const count = name.filter((concept) => said.has(concept)).length;
      return { count, whole: count === name.length ? count : 0 };
    });
    const count = Math.max(0, ...names.map((name) => name.count));
    return { choice, count, whole: Math.max(0, ...names.map(({ whole }) => whole)) };
  });
  const most = Math.max(0, ...counted.map(({ whole }) => whole));
  return counted.filter(({ count }) => count >= most).map(({ choice }) => choice);
}

/** What a tool is called, in concepts: by its name (which may be short for it) and by its description. */
function namesOf(tool: OfferedTool): string[][] {
  return [tool.name, subjectOf(tool)]
    .map((text) => conceptsOf(text).filter((concept) => !GENERIC.test(concept)))
    .filter(({ length }) => length > 0);
}

function takesOnlyNumbers(tool: OfferedTool): boolean {
  const types = parametersOf(tool).map(({ type, itemType }) => (type === "list" ? itemType : type));
  return types.every((type) => type === "number" || type === "integer");
}

/** Words by which a question asks for a part of what a tool would give. */
const PART_ONLY =
  /\b(?:not|without|except|alone|only|remaining|rest|outside|uncovered|one of|part of|share of)\b/i;

/** Words in names and descriptions of tools that say nothing of what the tool is about. */
const GENERIC = /^(?:number|list|two|three|nth|first|.)$/i;

/** What a tool does and to what, without its verb and before it says from what. */
function subjectOf({ description }: OfferedTool): string {
  const [first = ""] = description.split(/[.:,;(]|\s(?:from|given|using|that|by)\s/);
  return first.split(/\s+/).slice(1).join(" ");
}

/** Numbers fit any operation, so that a tool has to name the very one that the step asks for. */
function doesOperation(tool: OfferedTool, step: string): boolean {
  const [operation] = conceptsOf(operationOf(step) ?? "");
  return operation === undefined || conceptsOf(toolText(tool)).includes(operation);
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
  return tools.map((tool, at) => {
    const sentence = Math.max(0, dot(asked, offered[at] ?? []));
    const words = sharedWords({ phrase, tool, rarity });
    return MEANING_WEIGHT.sentence * sentence + MEANING_WEIGHT.words * words;
  });
}

/** The text of a tool that is compared with a phrase. */
function toolText({ name, description }: OfferedTool): string {
  return `${wordsOf(name).join(" ")}: ${description.split("\n\n")[0] ?? ""}`;
}

type Rarity = (concept: string) => number;

function rarityAmong(tools: readonly OfferedTool[]): Rarity {
  const counts = new Map<string, number>();
  for (const tool of tools) {
    for (const concept of new Set(conceptsOf(toolText(tool)))) {
      counts.set(concept, (counts.get(concept) ?? 0) + 1);
    }
  }
  return (concept) => Math.log(1 + (tools.length + 1) / ((counts.get(concept) ?? 0) + 1));
}

/** How much of a phrase a tool says, and how much of the tool's name the phrase says: 0 to 1. */
function sharedWords(options: { phrase: string; tool: OfferedTool; rarity: Rarity }): number {
  const { phrase, tool, rarity } = options;
  const asked = conceptsOf(phrase);
  const name = conceptsOf(tool.name);
  const all = new Set(conceptsOf(toolText(tool)));
  const covered = share({ of: asked, within: all, rarity });
  const named = share({ of: name, within: new Set(asked), rarity });
  const headed = share({ of: headOf(tool), within: new Set(asked), rarity });
  return 0.6 * covered + 0.15 * named + 0.25 * headed;
}

/** What a description says that a tool yields or does, before it says of what and how. */
function headOf({ description }: OfferedTool): string[] {
  const head = description.split(
    /[.:,;(]|\s(?:of|with|for|from|in|on|by|to|between|given|using)\s/,
  )[0];
  return conceptsOf(head ?? "").slice(1);
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
  const fresh = [...new Set(texts)].filter((text) => !knownVectors.has(text));
  if (knownVectors.size + fresh.length > MOST_VECTORS) knownVectors.clear();
  const missing = [...new Set(texts)].filter((text) => !knownVectors.has(text));
  const vectors = await encoder.embedDocuments(missing);
  for (const [at, text] of missing.entries()) knownVectors.set(text, vectors[at] ?? []);
  return texts.map((text) => knownVectors.get(text) ?? []);
}

function dot(one: number[], other: number[]): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}
