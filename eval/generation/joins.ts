import type { PlanReference, PlanTool, PlanValue } from "../../plans/steps/plan.js";
import {
  accepts,
  allowedValues,
  fieldsOf,
  itemsOf,
  requiredOf,
  shapesOf,
  type Typed,
} from "../../plans/steps/schemaTypes.js";
import { wordsOf } from "../../tools/library/vectors/embedding.js";
import type { ToolDefinition } from "../../tools/tool.js";

/** How an output of one tool becomes an argument of another: an edge of the tool graph. */
export interface Join {
  argument: string;
  path: PlanReference["path"];
  /** The argument is a list with the output as its only item. */
  isItem: boolean;
}

/** Deeper parts of results are not joined. */
const DEEPEST = 2;

/**
 * All ways in which a tool can use the output of another one ("AI Agent 007" has an edge if types agree). Unless both
 * tools are purely numeric, their topics must agree, too.
 */
export function joinsBetween({ from, to }: { from: PlanTool; to: PlanTool }): Join[] {
  const isArithmetic = isAboutNumbers(from) && isAboutNumbers(to);
  const outputs = outputsOf(from);
  return [...argumentsOf(to)].flatMap(([argument, wanted]) => {
    const topics = topicsOfArgument({ name: argument, type: wanted });
    const fitting = outputs.filter(
      (output) => isArithmetic || sharedTopics(topics, output.topics) > 0,
    );
    const joins = fitting.flatMap(({ path, type: given }) =>
      joinOf({ argument, path, wanted, given }),
    );
    // The mean or the range of one number is meaningless.
    return nearest(isArithmetic ? joins.filter(({ isItem }) => !isItem) : joins);
  });
}

/** Prefers direct joins to those that need a list, and whole outputs to their parts. */
function nearest(joins: Join[]): Join[] {
  const farness = ({ isItem, path }: Join) => (isItem ? DEEPEST + 1 : 0) + path.length;
  const least = Math.min(...joins.map(farness));
  return joins.filter((join) => farness(join) === least);
}

/** The argument that a join makes from the output of a step. */
export function valueOfJoin({ path, isItem }: Join, step: number): PlanValue {
  const reference = { $prev: step, path };
  return isItem ? [reference] : reference;
}

/** The arguments of a tool with their types. */
export function argumentsOf({ parameters }: Pick<PlanTool, "parameters">): Map<string, Typed> {
  return fieldsOf({ schema: parameters, root: parameters }) ?? new Map<string, Typed>();
}

interface Output {
  path: PlanReference["path"];
  type: Typed;
  topics: ReadonlySet<string>;
}

function outputsOf(tool: PlanTool): Output[] {
  const { id, name = id, returns } = tool;
  if (!returns) return [];
  const said = topicsOfResult(tool);
  const topics = said.size > 0 ? said : topicsOf(name);
  return partsOf({ path: [], type: { schema: returns, root: returns }, topics });
}

/** An output and its parts: the first item of a list, the required fields of an object. */
function partsOf(output: Output): Output[] {
  const { path, type, topics } = output;
  const shapes = shapesOf(type).filter(({ base }) => base !== "null");
  const [shape] = shapes;
  // Only a model could decide what to do with an output of several possible types.
  if (!shape || shapes.length > 1 || shape.base === "any") return [];
  if (path.length >= DEEPEST) return [output];
  if (shape.base === "array") {
    return [output, ...partsOf({ path: [...path, 0], type: itemsOf(shape), topics })];
  }
  const always = requiredOf(shape);
  const fields = [...(fieldsOf(shape) ?? [])].filter(([name]) => always.includes(name));
  const parts = fields.map(([name, type]) => ({
    path: [...path, name],
    type,
    topics: topicsOfField({ name, description: descriptionOf(type), of: topics }),
  }));
  return [output, ...parts.flatMap(partsOf)];
}

function joinOf(options: {
  argument: string;
  path: PlanReference["path"];
  wanted: Typed;
  given: Typed;
}): Join[] {
  const { argument, path, wanted, given } = options;
  // No request would say that a flag depends on an earlier result.
  if (basesOf(given).includes("boolean")) return [];
  // A free text is hardly ever one of the listed values.
  if (isListed(wanted) && !isListed(given)) return [];
  if (accepts({ wanted, given })) return [{ argument, path, isItem: false }];
  const isList = basesOf(wanted).every((base) => base === "array");
  const items = shapesOf(wanted).find(({ base }) => base === "array");
  if (!isList || !items || !accepts({ wanted: itemsOf(items), given })) return [];
  return [{ argument, path, isItem: true }];
}

function isAboutNumbers(tool: PlanTool): boolean {
  return [...argumentsOf(tool).values()].every((type) =>
    shapesOf(type).every((shape) => {
      const items = shape.base === "array" ? basesOf(itemsOf(shape)) : [shape.base];
      return items.every((base) => base === "number" || base === "integer");
    }),
  );
}

/** Whether a type, or the items of a list, have a fixed set of values. */
function isListed(type: Typed): boolean {
  return shapesOf(type).some(
    (shape) => allowedValues(shape) ?? (shape.base === "array" && isListed(itemsOf(shape))),
  );
}

function basesOf(type: Typed): string[] {
  return shapesOf(type).map(({ base }) => base);
}

/** Words that do not tell what a value stands for. */
const EMPTY_WORDS = new Set(
  "a an and are as at be been by each first for from get id ids in into is it its last list new of on once one only or order other set show some such that the their them they this those to was what which who with words".split(
    " ",
  ),
);

/** What follows does not tell what the value is: "Ids of users: only work items that …". */
const CLAUSE_END = /[,:;.(]|\s(?:that|which|who|whose)\s/;

/** Words for what a value is about: the id of a user and the id of a sprint are both texts, but have other topics. */
export function topicsOf(...texts: readonly string[]): Set<string> {
  const words = texts.flatMap(
    (text) =>
      wordsOf(text)
        .toLowerCase()
        .match(/[a-z]+/g) ?? [],
  );
  return new Set(words.filter((word) => !EMPTY_WORDS.has(word)).map(singular));
}

/** What an argument is about, by its name and the beginning of its description. */
export function topicsOfArgument({ name, type }: { name: string; type: Typed }): Set<string> {
  return topicsOf(name, firstClause(descriptionOf(type)));
}

/** What the whole result of a tool is about. */
export function topicsOfResult(tool: Pick<ToolDefinition, "returns">): Set<string> {
  const { returns: schema = {} } = tool;
  return topicsOf(firstClause(descriptionOf({ schema, root: schema })));
}

/** What a field of a result is about; if its name says nothing, as `id`, what its object is about. */
export function topicsOfField(options: {
  name: string;
  description?: string;
  of: ReadonlySet<string>;
}): ReadonlySet<string> {
  const own = topicsOf(options.name, firstClause(options.description ?? ""));
  return own.size > 0 ? own : options.of;
}

/** How many topics two values share. */
export function sharedTopics(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((word) => other.has(word)).length;
}

/** The description in a schema, or an empty text. */
export function descriptionOf({ schema }: Typed): string {
  const { description } = schema;
  return typeof description === "string" ? description : "";
}

function firstClause(text: string): string {
  return text.split(CLAUSE_END)[0] ?? "";
}

function singular(word: string): string {
  return word.length > 3 ? word.replace(/(?<=[^s])s$/, "") : word;
}
