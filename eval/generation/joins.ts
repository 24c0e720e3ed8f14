import { accepts } from "../../plans/accepts.js";
import type { PlanReference, PlanTool, PlanValue } from "../../plans/plan.js";
import {
  allowedValues,
  fieldsOf,
  itemsOf,
  requiredOf,
  shapesOf,
  type Typed,
} from "../../plans/schemaTypes.js";
import {
  descriptionOf,
  sharedTopics,
  topicsOf,
  topicsOfArgument,
  topicsOfField,
  topicsOfResult,
} from "./topics.js";

/** How an output of one tool becomes an argument of another: an edge of the graph of tools. */
export interface Join {
  argument: string;
  path: PlanReference["path"];
  /** The argument is a list, of which the output is the only item. */
  isItem: boolean;
}

/** Parts of results within parts that are deeper are not joined. */
const DEEPEST = 2;

/**
 * All ways in which a tool can take what another one gives ("AI Agent 007" has an edge where types agree).
 * Where both are about more than plain numbers, the two have to be about the same, too.
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
    // The mean or the range of one number says nothing.
    return nearest(isArithmetic ? joins.filter(({ isItem }) => !isItem) : joins);
  });
}

/** What fits as it is comes before what has to be put into a list, and the whole before its parts. */
function nearest(joins: Join[]): Join[] {
  const farness = ({ isItem, path }: Join) => (isItem ? DEEPEST + 1 : 0) + path.length;
  const least = Math.min(...joins.map(farness));
  return joins.filter((join) => farness(join) === least);
}

/** The argument that a join makes of the output of a step. */
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

/** An output and its parts: of a list the first item, of an object the fields that are always there. */
function partsOf(output: Output): Output[] {
  const { path, type, topics } = output;
  const shapes = shapesOf(type).filter(({ base }) => base !== "null");
  const [shape] = shapes;
  // What may be several things, or anything, is for a model to look at first.
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
  // Yes or no as an argument hangs on nothing that a request would say.
  if (basesOf(given).includes("boolean")) return [];
  // A free text may be one of those that are listed, and hardly ever is.
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

/** Whether only some values are allowed, of the type or of the items of a list. */
function isListed(type: Typed): boolean {
  return shapesOf(type).some(
    (shape) => allowedValues(shape) ?? (shape.base === "array" && isListed(itemsOf(shape))),
  );
}

function basesOf(type: Typed): string[] {
  return shapesOf(type).map(({ base }) => base);
}
