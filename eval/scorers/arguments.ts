import type { ArgumentRule, GoldCall } from "../benchmarks/benchmark.js";
import { goldFor, outsideWorlds, solutionOf } from "./solution.js";
import { isPlainObject } from "../../plans/steps/references.js";
import { sameValue } from "../../tools/calls/engine/jsonResult.js";
import type { Score, Scores } from "./scorer.js";

/**
 * Which calls were made, with their arguments. Undefined for tasks without gold calls, and for mere plans if there is no
 * gold plan.
 */
export const ARGUMENT_SCORES = {
  argumentMatch: ofCalls(({ matched, gold }) => matched / gold),
  callMatch: outsideWorlds(
    ofCalls(({ matched, gold, made }) => Number(matched === gold && made === gold)),
  ),
} satisfies Scores;

interface CallCounts {
  matched: number;
  gold: number;
  made: number;
}

function ofCalls(score: (counts: CallCounts) => number): Score {
  return (scored) => {
    const solution = solutionOf(scored.run);
    const gold = goldFor(scored.task, solution) ?? [];
    if (gold.length === 0) return undefined;
    const { calls: made } = solution;
    const matched = matchedCalls(gold, made, scored.benchmark.argumentRule);
    return score({ matched, gold: gold.length, made: made.length });
  };
}

function matchedCalls(gold: readonly GoldCall[], made: readonly GoldCall[], rule: ArgumentRule) {
  const matches = ARGUMENT_RULES[rule];
  const partners = gold.map((wanted) =>
    made.flatMap((call, at) =>
      call.tool === wanted.tool && matches(wanted.args, call.args) ? [at] : [],
    ),
  );
  return maximumMatching(partners);
}

/**
 * Size of a maximum bipartite matching (Kuhn's augmenting paths). Taking the first partner that fits would miss pairs if
 * one call fits two gold calls.
 *
 * @param partners the possible partners of each element, by number
 */
export function maximumMatching(partners: readonly (readonly number[])[]): number {
  const elementOf = new Map<number, number>();
  const place = (element: number, tried: Set<number>): boolean =>
    (partners[element] ?? []).some((partner) => {
      if (tried.has(partner)) return false;
      tried.add(partner);
      const holder = elementOf.get(partner);
      if (holder !== undefined && !place(holder, tried)) return false;
      elementOf.set(partner, element);
      return true;
    });
  return partners.filter((_, element) => place(element, new Set())).length;
}

type Arguments = Record<string, unknown>;

/** Whether the arguments of a run's call match those of a gold call. */
type ArgumentsMatch = (gold: Arguments, made: Arguments) => boolean;

/** How arguments are compared, for each way to write gold calls. */
export const ARGUMENT_RULES: Record<ArgumentRule, ArgumentsMatch> = {
  equal: (gold, made) => sayTheSame(gold, made, plainText),
  "any-of": matchesAnyOf,
};

/** Relative difference up to which two numbers count as equal: rounding of another order of operations. */
const ROUNDING = 1e-9;

/** In a list of acceptable values: the argument may be left out. */
const OPTIONAL = "";

type Normalise = (text: string) => string;

const plainText: Normalise = (text) => text.trim().toLowerCase();

/** The leaderboard ignores white space and these marks, so that different ways to write dates agree. */
const bareText: Normalise = (text) => text.replaceAll(/[\s,./\-_*^]/g, "").toLowerCase();

/**
 * The rule of possible answers (Patil et al. 2025, Berkeley Function Calling Leaderboard, AST evaluation): each gold
 * argument is a list of acceptable values, one of which must be given; if "" is among them, the argument may be left
 * out; arguments that gold does not name are wrong. An object among the values has such a list for each field.
 */
function matchesAnyOf(gold: Arguments, made: Arguments): boolean {
  const known = Object.keys(made).every((name) => Object.hasOwn(gold, name));
  return (
    known &&
    Object.entries(gold).every(([name, value]) => {
      const acceptable: unknown[] = Array.isArray(value) ? value : [value];
      if (!Object.hasOwn(made, name)) return acceptable.includes(OPTIONAL);
      return acceptable.some((each) => isAcceptable(each, made[name]));
    })
  );
}

function isAcceptable(gold: unknown, made: unknown): boolean {
  if (sayTheSame(gold, made, bareText)) return true;
  if (isPlainObject(gold) && isPlainObject(made)) return matchesAnyOf(gold, made);
  if (!Array.isArray(gold) || !Array.isArray(made)) return false;
  return gold.length === made.length && gold.every((each, at) => isAcceptable(each, made[at]));
}

/** Deep equality in which a number may be written as a text and texts are normalised. */
function sayTheSame(a: unknown, b: unknown, normalise: Normalise): boolean {
  return sameValue(a, b, (one, other) => {
    if (!isScalar(one) || !isScalar(other)) return one === other;
    if (typeof one === "number" || typeof other === "number") return sameNumber(one, other);
    return normalise(String(one)) === normalise(String(other));
  });
}

function sameNumber(a: string | number | boolean, b: string | number | boolean): boolean {
  const [x, y] = [toNumber(a), toNumber(b)];
  return Math.abs(x - y) <= ROUNDING * Math.max(Math.abs(x), Math.abs(y));
}

/** NaN, which equals nothing, unless the value is a number. */
function toNumber(value: string | number | boolean): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}

function isScalar(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
