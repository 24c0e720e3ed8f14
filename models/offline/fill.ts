import type { OfferedTool } from "../../nodes/shared/stageInputs.js";
import { type Pair, pairsFor } from "./affinity.js";
import { type Parameter, parametersOf, recordOf } from "./parameters.js";
import { countNamed, guessedParameters } from "./guesses.js";
import type { Mention } from "./quantities.js";
import { type Results, valueFor } from "./values.js";
import { readBoolean, readChoice, readPhrase, readPronoun } from "./wording.js";

/** What the arguments of a call are taken from. */
export interface FillRequest {
  tool: OfferedTool;
  /** The step in words. */
  step: string;
  /** Values in the step. */
  mentions: readonly Mention[];
  /** Numbers in the step's facts; some may be for other steps. */
  given: readonly Mention[];
  /** The facts themselves. */
  facts: readonly string[];
  /** The sentences of the request, if there are several: a step's values may be in any. */
  told: readonly string[];
  /** Values elsewhere in the request, used only for required parameters that they clearly name. */
  context: readonly Mention[];
  results: Results;
}

/** A call's arguments as far as they could be found. */
export interface Filling {
  args: Record<string, unknown>;
  /** Required parameters without a value. */
  missing: string[];
  /** Values of the step that no parameter took. */
  unused: number;
  /** Values whose surrounding words name their parameters. */
  named: number;
  /** Parameters for which another value of the request would do as well. */
  guessed: string[];
  /** How well the words around the values name the parameters, 0 to about 1. */
  fit: number;
}

/** With more combinations, values are assigned greedily, to stay quick. */
const MOST_COMBINATIONS = 20_000;

/** A value from outside the step must be named at least this clearly. */
const CONTEXT_FLOOR = 0.6;

/** Finds arguments for a tool in the words and values of a step and in earlier results. */
export function fillArguments(request: FillRequest): Filling {
  const parameters = parametersOf(request.tool);
  const args = new Map<string, unknown>();
  for (const parameter of parameters) {
    const read = readWords(parameter, request);
    if (read !== undefined) args.set(parameter.name, read);
  }
  const taken = new Set<Mention>();
  const lists = fillLists({ parameters, request, args, taken });
  const open = parameters.filter(({ name, type }) => !args.has(name) && type !== "list");
  const pairs = assign({
    open,
    mentions: [...request.mentions, ...request.given].filter((one) => !taken.has(one)),
    request,
  });
  for (const { parameter, mention, value } of pairs) {
    args.set(parameter.name, value);
    taken.add(mention);
  }
  if (request.given.length === 0) fillFromContext({ parameters, request, args, taken });
  const values = request.mentions.filter(({ kind }) => kind !== "name");
  return {
    args: toArguments(parameters, args),
    missing: parameters
      .filter(({ name, required }) => required && !args.has(name))
      .map(({ name }) => name),
    unused: values.filter((one) => !taken.has(one)).length,
    named: countNamed(pairs),
    guessed: guessedParameters({ pairs, taken, request }),
    fit: average([...lists, ...pairs.map(({ score }) => Math.min(score, 1))]),
  };
}

/** Arguments in the order and nesting of the schema. */
function toArguments(
  parameters: Parameter[],
  values: Map<string, unknown>,
): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const { name, path } of parameters) {
    if (!values.has(name)) continue;
    let at = root;
    for (const key of path.slice(0, -1)) {
      const inner = recordOf(at[key]);
      at[key] = inner;
      at = inner;
    }
    at[path.at(-1) ?? name] = values.get(name);
  }
  return root;
}

function readWords(parameter: Parameter, { step }: FillRequest): unknown {
  if (parameter.choices) return readChoice(parameter, step);
  if (parameter.type === "boolean") return readBoolean(parameter, step);
  return undefined;
}

/** Arguments while they are being found. */
interface Progress {
  parameters: Parameter[];
  request: FillRequest;
  args: Map<string, unknown>;
  taken: Set<Mention>;
}

/** Fills each list with an earlier result, one enumeration, or all values; returns how well they fit. */
function fillLists({ parameters, request, args, taken }: Progress): number[] {
  const fits: number[] = [];
  for (const parameter of parameters) {
    if (parameter.type !== "list" || args.has(parameter.name)) continue;
    const free = [...request.mentions, ...request.given].filter((mention) => !taken.has(mention));
    const whole = free.find(
      (mention) => valueFor({ parameter, mention, results: request.results }) !== undefined,
    );
    if (whole) {
      args.set(parameter.name, valueFor({ parameter, mention: whole, results: request.results }));
      taken.add(whole);
      continue;
    }
    const members = membersFor({ parameter, free, request });
    if (members.length === 0) continue;
    args.set(
      parameter.name,
      members.map(({ value }) => value),
    );
    for (const { mention } of members) taken.add(mention);
    fits.push(
      Math.min(
        1,
        Math.max(...members.map(({ score }) => score)) + (members.length > 1 ? 0.3 : -0.5),
      ),
    );
  }
  return fits;
}

function membersFor(options: {
  parameter: Parameter;
  free: Mention[];
  request: FillRequest;
}): Pair[] {
  const { parameter, free, request } = options;
  const item: Parameter = { ...parameter, type: parameter.itemType ?? "unknown" };
  const pairs = pairsFor({ parameter: item, mentions: free, results: request.results });
  const alone =
    parametersOf(request.tool).filter(({ required }) => required).length === 1 &&
    pairs.every(({ mention }) => !request.given.includes(mention));
  if (alone) return pairs;
  const groups = [...new Set(pairs.map(({ mention }) => mention.group))].map((group) =>
    pairs.filter(({ mention }) => mention.group === group),
  );
  if (request.given.length === 0)
    return groups.toSorted((one, other) => total(other) - total(one))[0] ?? [];
  // Of two enumerations among the facts, either may be meant.
  const lists = groups.filter(({ length }) => length > 1);
  return lists.length === 1 ? (lists[0] ?? []) : [];
}

function total(pairs: Pair[]): number {
  return pairs.reduce((sum, { score }) => sum + score + 0.3, 0);
}

/** Assigns values to parameters so that as many as possible are used and fit best. */
function assign(options: {
  open: Parameter[];
  mentions: readonly Mention[];
  request: FillRequest;
}): Pair[] {
  const { open, mentions, request } = options;
  const { results } = request;
  const table = open.map((parameter) => pairsFor({ parameter, mentions, results }));
  const combinations = (mentions.length + 1) ** open.length;
  return combinations <= MOST_COMBINATIONS
    ? bestAssignment(table, mentions)
    : greedyAssignment(table);
}

function bestAssignment(table: Pair[][], order: readonly Mention[]): Pair[] {
  const position = new Map(order.map((mention, at) => [mention, at]));
  let best: { pairs: Pair[]; score: number } = { pairs: [], score: -1 };
  extend(0, [], 0);
  return best.pairs;

  function extend(at: number, pairs: Pair[], score: number): void {
    const row = table[at];
    if (!row) {
      if (score > best.score + 1e-9) best = { pairs, score };
      return;
    }
    for (const pair of row) {
      if (pairs.some(({ mention }) => mention === pair.mention)) continue;
      const here = position.get(pair.mention) ?? 0;
      const swapped = pairs.filter(({ mention }) => (position.get(mention) ?? 0) > here).length;
      const gain = (pair.parameter.required ? 1.2 : 0.4) + pair.score - 0.05 * swapped;
      if (gain > 0) extend(at + 1, [...pairs, pair], score + gain);
    }
    extend(at + 1, pairs, score);
  }
}

function greedyAssignment(table: Pair[][]): Pair[] {
  const chosen: Pair[] = [];
  for (const pair of table.flat().toSorted((one, other) => other.score - one.score)) {
    const clash = chosen.some(
      ({ parameter, mention }) => parameter === pair.parameter || mention === pair.mention,
    );
    if (!clash && pair.score > 0) chosen.push(pair);
  }
  return chosen;
}

/** Fills what the step leaves open: with the latest result, a value that the request names, or the step's own words. */
function fillFromContext({ parameters, request, args, taken }: Progress): void {
  for (const parameter of parameters) {
    if (args.has(parameter.name) || !parameter.required) continue;
    const mentions = request.context.filter((mention) => !taken.has(mention));
    const [named] = pairsFor({ parameter, mentions, results: request.results })
      .filter(({ score }) => score >= CONTEXT_FLOOR)
      .toSorted((one, other) => other.score - one.score);
    const pointedAt = readPronoun({ parameter, ...request });
    const value = pointedAt ?? named?.value ?? readPhrase(parameter, request.step);
    if (named && pointedAt === undefined) taken.add(named.mention);
    if (value !== undefined) args.set(parameter.name, value);
  }
}

function average(values: number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
