import type { PlanStep, PlanTool, PlanValue } from "../../plans/steps/plan.js";
import { referencesIn, writeReference } from "../../plans/steps/references.js";
import { requiredOf } from "../../plans/steps/schemaTypes.js";
import type { Chance } from "./chance.js";
import { argumentsOf, type Join, joinsBetween, topicsOf, valueOfJoin } from "./joins.js";
import { canBeLiteral } from "./drawLiteral.js";

/** A step of a flow: arguments that come from earlier steps, and arguments to be chosen. */
export interface FlowStep {
  /** Id of the tool. */
  tool: string;
  references: Record<string, PlanValue>;
  /** Names of arguments whose values the request must give. */
  literals: string[];
}

/** Numbers of steps, weighted by repetition. */
const LENGTHS = [1, 2, 2, 2, 3, 3, 3, 4, 4, 5];

/** Steps tried before a draw is given up. */
const MOST_TRIES = 400;

/** How often an optional argument is given, and how often an argument comes from an earlier step if it can. */
const SHARES = { optional: 0.25, fromEarlier: 0.4 };

/**
 * Draws a flow: a chain of tools, each of which uses output of the previous one, by depth-first search with
 * backtracking. Flows that repeat a tool or a similar one, and flows of an existing shape, are pruned ("AI Agent 007",
 * flow-based data generation).
 *
 * @param options.taken shapes of existing flows, see `shapeOf`
 * @returns undefined if none was found
 */
export function drawFlow(options: {
  tools: readonly PlanTool[];
  taken: ReadonlySet<string>;
  chance: Chance;
}): FlowStep[] | undefined {
  const { tools, taken, chance } = options;
  const length = chance.pick(LENGTHS) ?? 1;
  const joins = joinCache();
  let tries = MOST_TRIES;
  const extend = (steps: FlowStep[], used: PlanTool[]): FlowStep[] | undefined => {
    if (steps.length === length) return taken.has(shapeOfFlow(steps)) ? undefined : steps;
    for (const tool of chance.shuffled(tools.filter((tool) => !isAlikeAny(tool, used)))) {
      if (tries === 0) return undefined;
      tries -= 1;
      const step = drawStep({ tool, used, joins, chance });
      const found = step && extend([...steps, step], [...used, tool]);
      if (found) return found;
    }
    return undefined;
  };
  return extend([], []);
}

/** The shape of the plan that a flow becomes. */
export function shapeOfFlow(steps: readonly FlowStep[]): string {
  return shapeOf(
    steps.map(({ tool, references, literals }) => ({
      tool,
      args: { ...references, ...Object.fromEntries(literals.map((name) => [name, null])) },
    })),
  );
}

type JoinsOf = (pair: { from: PlanTool; to: PlanTool }) => Join[];

/** A step that uses output of the last one, if all its other arguments can be chosen. */
function drawStep(options: {
  tool: PlanTool;
  used: readonly PlanTool[];
  joins: JoinsOf;
  chance: Chance;
}): FlowStep | undefined {
  const { tool, used, joins, chance } = options;
  const { parameters } = tool;
  const required = requiredOf({ schema: parameters, root: parameters });
  const last = used.at(-1);
  const chained = last ? joins({ from: last, to: tool }) : [];
  const link = chance.pick(preferring(chained, required));
  if (last && !link) return undefined;
  const references: FlowStep["references"] = {};
  if (link) references[link.argument] = valueOfJoin(link, used.length - 1);
  const literals: string[] = [];
  for (const [argument, type] of argumentsOf(tool)) {
    if (argument in references) continue;
    const isRequired = required.includes(argument);
    if (!isRequired && chance.number() >= SHARES.optional) continue;
    const earlier = earlierValue({ argument, tool, used, joins, chance });
    if (earlier !== undefined) references[argument] = earlier;
    else if (canBeLiteral(type)) literals.push(argument);
    else if (isRequired) return undefined;
  }
  return { tool: tool.id, references, literals };
}

function preferring(joins: Join[], required: readonly string[]): Join[] {
  const needed = joins.filter(({ argument }) => required.includes(argument));
  return needed.length > 0 ? needed : joins;
}

/** Sometimes, output of a step before the last one. */
function earlierValue(options: {
  argument: string;
  tool: PlanTool;
  used: readonly PlanTool[];
  joins: JoinsOf;
  chance: Chance;
}): PlanValue | undefined {
  const { argument, tool, used, joins, chance } = options;
  const values = used.slice(0, -1).flatMap((from, step) =>
    joins({ from, to: tool })
      .filter((join) => join.argument === argument)
      .map((join) => valueOfJoin(join, step)),
  );
  return values.length > 0 && chance.number() < SHARES.fromEarlier
    ? chance.pick(values)
    : undefined;
}

function joinCache(): JoinsOf {
  const known = new Map<string, Join[]>();
  return ({ from, to }) => {
    const key = JSON.stringify([from.id, to.id]);
    const joins = known.get(key) ?? joinsBetween({ from, to });
    known.set(key, joins);
    return joins;
  };
}

/** Whether a flow already has a similar tool, as `is_prime_number` is to `is_prime`. */
function isAlikeAny(tool: PlanTool, used: readonly PlanTool[]): boolean {
  const words = topicsOf(tool.name ?? tool.id);
  return used.some((other) => {
    const others = topicsOf(other.name ?? other.id);
    return other.id === tool.id || isWithin(words, others) || isWithin(others, words);
  });
}

function isWithin(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  return [...part].every((word) => whole.has(word));
}

/**
 * The shape of a plan, the same for plans that differ only in values: the tools, the given arguments, and the steps that
 * these come from.
 */
export function shapeOf(steps: readonly PlanStep[]): string {
  return steps
    .map(({ tool, args }) => {
      const names = Object.keys(args).toSorted();
      const given = names.map((name) => {
        const references = referencesIn(args[name] ?? null).map(writeReference);
        return references.length > 0 ? `${name}=${references.join("+")}` : name;
      });
      return `${tool}(${given.join(", ")})`;
    })
    .join("; ");
}

/** Requests with this share of common words count as the same. */
const ALIKE = 0.9;

/** Whether two requests have nearly the same words. */
export function isAlike(one: string, other: string): boolean {
  const [words, others] = [wordsIn(one), wordsIn(other)];
  const all = new Set([...words, ...others]);
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared >= ALIKE * all.size;
}

function wordsIn(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+(?:[-.'’]\p{N}+)*/gu));
}
