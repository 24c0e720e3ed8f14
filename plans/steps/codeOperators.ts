import type { PlanReference, PlanStep, PlanTool, PlanValue } from "./plan.js";
import type { BinaryOperator } from "../language/program.js";
import { isReference, isText } from "./references.js";
import { fieldsOf, requiredOf, shapesOf } from "./schemaTypes.js";

/** Tools by the names that code may use. */
export type CodeTools = ReadonlyMap<string, PlanTool>;

/**
 * The result of an operator on a plan's values: a known value, the parts of a text, or the call of a tool that
 * does the same; undefined if a plan cannot express it. (The report's runtime overloads operators on results
 * and evaluates the others as the code runs, "AI Agent 007": metaprogramming.)
 */
export function operated(options: {
  operator: BinaryOperator;
  one: PlanValue;
  other: PlanValue;
  tools: CodeTools;
}): { value: Scalar } | { parts: (string | PlanReference)[] } | { step: PlanStep } | undefined {
  const { operator, one, other, tools } = options;
  const operation = OPERATIONS.get(operator);
  if (!operation) return undefined;
  if (isScalar(one) && isScalar(other)) {
    const value = operation.of(one, other);
    return value === undefined ? undefined : { value };
  }
  const parts = operation === JOINING ? joinedParts(one, other) : undefined;
  if (parts) return { parts };
  const tool = toolFor(operation, tools);
  if (!tool || !isOperand(one) || !isOperand(other)) return undefined;
  const [first = "", second = ""] = parametersOf(tool);
  return { step: { tool: tool.id, args: { [first]: one, [second]: other } } };
}

type Scalar = string | number | boolean | null;

interface Operation {
  /** The result for two known values; undefined if there is none. */
  of: (one: Scalar, other: Scalar) => Scalar | undefined;
  /** Names of tools that do it. */
  tools?: RegExp;
}

/** Also joins texts. */
const JOINING: Operation = {
  of: (one, other) =>
    typeof one === "string" || typeof other === "string"
      ? `${one}${other}`
      : ofNumbers((a, b) => a + b)(one, other),
  tools: named("add|plus|addition"),
};

const EQUAL: Operation = {
  of: (one, other) => one === other,
  tools: named("(?:is_|are_)?equals?(?:_to)?"),
};

const UNEQUAL: Operation = { of: (one, other) => one !== other };

const OPERATIONS: ReadonlyMap<BinaryOperator, Operation> = new Map<BinaryOperator, Operation>([
  ["+", JOINING],
  ["-", { of: ofNumbers((a, b) => a - b), tools: named("subtract|minus|subtraction") }],
  ["*", { of: ofNumbers((a, b) => a * b), tools: named("multiply|times|multiplication") }],
  ["/", { of: ofNumbers((a, b) => a / b), tools: named("divide|division") }],
  ["%", { of: ofNumbers((a, b) => a % b), tools: named("modulo|mod|modulus|remainder") }],
  ["**", { of: ofNumbers((a, b) => a ** b), tools: named("power|pow|exponentiation") }],
  ["<", { of: ordered((a, b) => a < b), tools: named("(?:is_)?(?:less|smaller)(?:_than)?") }],
  [">", { of: ordered((a, b) => a > b), tools: named("(?:is_)?(?:greater|larger)(?:_than)?") }],
  ["<=", { of: ordered((a, b) => a <= b) }],
  [">=", { of: ordered((a, b) => a >= b) }],
  ["===", EQUAL],
  ["==", EQUAL],
  ["!==", UNEQUAL],
  ["!=", UNEQUAL],
]);

/** Of two numbers; a result that is not a number, such as 1 / 0, cannot be in a plan. */
function ofNumbers(of: (one: number, other: number) => number): Operation["of"] {
  return (one, other) => {
    if (typeof one !== "number" || typeof other !== "number") return undefined;
    const result = of(one, other);
    return Number.isFinite(result) ? result : undefined;
  };
}

/** Of two numbers or of two texts. */
function ordered(of: (one: number | string, other: number | string) => boolean): Operation["of"] {
  return (one, other) =>
    (typeof one === "number" && typeof other === "number") ||
    (typeof one === "string" && typeof other === "string")
      ? of(one, other)
      : undefined;
}

/** Matches tool names that only say the operation, such as `add_two_numbers`. */
function named(operation: string): RegExp {
  return new RegExp(`^(?:${operation})(?:_(?:two_)?(?:numbers|values))?$`, "i");
}

/** The only offered tool that does just this operation on two numbers. */
function toolFor({ tools: names }: Operation, tools: CodeTools): PlanTool | undefined {
  const fitting = [...new Set(tools.values())].filter(
    (tool) => names?.test(tool.name ?? tool.id) && parametersOf(tool).length === 2,
  );
  const [only, ...others] = fitting;
  return others.length === 0 ? only : undefined;
}

/** The parameters of a tool, in order; empty if any is optional or not a number. */
function parametersOf({ parameters }: PlanTool): string[] {
  const required = requiredOf({ schema: parameters, root: parameters });
  const fields = [...(fieldsOf({ schema: parameters, root: parameters }) ?? [])];
  const isPlain = fields.every(
    ([name, type]) =>
      required.includes(name) &&
      shapesOf(type).some(({ base }) => ["number", "integer", "any"].includes(base)),
  );
  return isPlain ? fields.map(([name]) => name) : [];
}

function isScalar(value: PlanValue): value is Scalar {
  return typeof value !== "object" || value === null;
}

function isOperand(value: PlanValue): boolean {
  return typeof value === "number" || isReference(value);
}

/** A text with results in it, if one side is a text; otherwise undefined. */
function joinedParts(one: PlanValue, other: PlanValue): (string | PlanReference)[] | undefined {
  if (![one, other].some((side) => typeof side === "string" || isText(side))) return undefined;
  const sides = [one, other].map(partsOf);
  return sides.every((side) => side !== undefined) ? sides.flat() : undefined;
}

function partsOf(value: PlanValue): (string | PlanReference)[] | undefined {
  if (isReference(value)) return [value];
  if (isText(value)) return value.$text;
  return isScalar(value) ? [String(value)] : undefined;
}
