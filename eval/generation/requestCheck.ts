import type { PlanStep, PlanTool, PlanValue } from "../../plans/steps/plan.js";
import { isPlainObject, isReference, isText } from "../../plans/steps/references.js";
import {
  allowedValues,
  fieldsOf,
  itemsOf,
  shapesOf,
  type Typed,
} from "../../plans/steps/schemaTypes.js";
import { ANY } from "../../plans/steps/schemaTypes.js";
import { argumentsOf } from "./joins.js";

/** A value of a plan that is not the result of a step. */
interface PlanLiteral {
  value: string | number;
  /** The schema lists it, so that a request may use another word for it. */
  isListed: boolean;
}

/** The texts and numbers of a plan; booleans and null are worded in too many ways to be checked. */
export function literalsOf(options: {
  steps: readonly PlanStep[];
  tools: ReadonlyMap<string, PlanTool>;
}): PlanLiteral[] {
  const { steps, tools } = options;
  return steps.flatMap(({ tool, args }) => {
    const known = tools.get(tool);
    const types = known ? argumentsOf(known) : new Map<string, Typed>();
    return Object.entries(args).flatMap(([name, value]) =>
      literalsIn(value, types.get(name) ?? ANY),
    );
  });
}

/** Whether a request contains a value: a number not within another one, a text in any case. */
export function isSaid({ value }: PlanLiteral, request: string): boolean {
  if (typeof value === "string") return hasText(inOneForm(request), inOneForm(value));
  const numbers: string[] = request.replaceAll(/(?<=\d),(?=\d{3}\b)/g, "").match(NUMBER) ?? [];
  return numbers.some((number) => Math.abs(Number(number)) === Math.abs(value));
}

const NUMBER = /(?<![\w.])-?\d+(?:\.\d+)?(?![\w]|\.\d)/g;

/** No digit may follow (TASK-12 does not contain TASK-1), but letters may, as in a plural. */
function hasText(request: string, text: string): boolean {
  const letters = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${letters}(?!\p{N})`, "u").test(request);
}

/** A model may write `in_development` as "in development". */
function inOneForm(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")
    .trim();
}

function literalsIn(value: PlanValue, type: Typed): PlanLiteral[] {
  if (isReference(value)) return [];
  if (isText(value)) {
    const texts = value.$text.filter((part) => typeof part === "string");
    return texts
      .filter((text) => /\w/.test(text))
      .map((text) => ({ value: text.trim(), isListed: false }));
  }
  const shapes = shapesOf(type);
  if (Array.isArray(value)) {
    const items = shapes.find(({ base }) => base === "array");
    return value.flatMap((item) => literalsIn(item, items ? itemsOf(items) : ANY));
  }
  if (isPlainObject(value)) {
    const fields = shapes.flatMap((shape) => [...(fieldsOf(shape) ?? [])]);
    const types = new Map(fields);
    return Object.entries(value).flatMap(([name, inner]) =>
      literalsIn(inner, types.get(name) ?? ANY),
    );
  }
  if (typeof value !== "string" && typeof value !== "number") return [];
  return [{ value, isListed: shapes.some((shape) => allowedValues(shape)?.includes(value)) }];
}
