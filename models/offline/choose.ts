import { isDeepStrictEqual } from "node:util";
import type { OfferedTool } from "../../nodes/shared/stageInputs.js";
import { fillArguments, type FillRequest, type Filling } from "./fill.js";
import { parametersOf } from "./parameters.js";
import { withGiven } from "./given.js";
import { factualPhrase, genericPhrase, operationOf } from "./phrases.js";
import { conceptsOf } from "./text.js";
import { conceptsOfTool, meaningsOf } from "./meaning.js";

/** A tool that could do a step, with its arguments. */
export interface Choice {
  tool: OfferedTool;
  filling: Filling;
  /** Nearness of meaning, 0 to about 1. */
  meaning: number;
  /** Meaning and arguments together; the highest is the best. */
  score: number;
}

/** A step to choose a tool for: all that is needed to fill a call except the tool. */
export type ToolRequest = Omit<FillRequest, "tool"> & { tools: readonly OfferedTool[] };

/** Below this nearness a tool does something else. */
const MEANING_FLOOR = 0.3;

/** Only this many tools, nearest first, are tried with arguments. */
const TRIED = 12;

const FILLING_WEIGHT = { fit: 0.15, unused: 0.12 };

/** The offered tools that could do a step, best first. */
export async function rankTools({ tools, ...request }: ToolRequest): Promise<Choice[]> {
  const asked = withGiven({ asked: request.step, facts: request.facts });
  const phrase = factualPhrase(asked) ?? genericPhrase(asked);
  const meanings = await meaningsOf(phrase, tools);
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
  /** The request has several sentences, any of which may hold the step's values. */
  isInSentences: boolean;
  /** The operation, if the step is nothing but an operation on numbers. */
  operation: string | undefined;
  /** Concepts of the step. */
  asked: ReadonlySet<string>;
  /** Concepts of the step and of what is said around it. */
  said: ReadonlySet<string>;
}

function toldBy({ step, facts, told }: Omit<ToolRequest, "tools">): Told {
  // A step's facts are about its own thing; the request may also be about others.
  const around = facts.length > 0 ? facts : told;
  return {
    step,
    isInSentences: told.length > 0,
    operation: operationOf(step),
    asked: new Set(conceptsOf(step)),
    said: new Set(conceptsOf([step, ...around].join(" "))),
  };
}

/** A tool that takes only some of an operation's values ("sum of the numbers to n") does something else. */
function leavesOperand({ unused }: Filling, { operation }: Told): boolean {
  return unused > 0 && operation !== undefined;
}

/** This many named values identify a tool without its name: "long" and "wide" suggest a rectangle. */
const NAMED_FOR_KIND = 2;

/**
 * Facts may fit a tool that does something else (a radius as the side of a square), so the request must mention
 * everything the tool is about, or name several of its values.
 */
function isCalledFor(options: { tool: OfferedTool; filling: Filling; told: Told }): boolean {
  const { tool, filling, told } = options;
  if (!told.isInSentences || !takesOnlyNumbers(tool)) return true;
  if (PART_ONLY.test(told.step) && !PART_ONLY.test(tool.description)) return false;
  if (filling.named >= NAMED_FOR_KIND) return true;
  return isSaid(tool, told);
}

/** Tools whose nearness differs by no more than this are equally likely to be meant. */
const AS_NEAR = 0.05;

/** Radius and height make a cone or a cylinder, so the request must say which. */
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

/** Whether a request mentions everything a tool is about. */
function isSaid(tool: OfferedTool, { said }: Told): boolean {
  return conceptsOfTool(tool).names.some((name) => name.every((concept) => said.has(concept)));
}

/**
 * The tools whose whole name the step mentions, if any: what it asks for by name is not done by a tool that only the
 * facts suggest.
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

/** Words by which a question asks for only a part of what a tool would return. */
const PART_ONLY =
  /\b(?:not|without|except|alone|only|remaining|rest|outside|uncovered|one of|part of|share of)\b/i;

/** Numbers fit any operation, so the tool must name the one that the step asks for. */
function doesOperation(tool: OfferedTool, told: Told): boolean {
  const [operation] = conceptsOf(told.operation ?? "");
  return operation === undefined || conceptsOfTool(tool).all.has(operation);
}

function scoreOf({ meaning, filling }: { meaning: number; filling: Filling }): number {
  const { fit, unused } = FILLING_WEIGHT;
  return meaning + fit * filling.fit - unused * filling.unused;
}
