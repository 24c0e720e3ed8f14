import { isPlainObject } from "../steps/references.js";
import type { Expression, Pattern, Program, Statement } from "./program.js";

type Part = Statement | Expression;

/** All expressions of a program, outer ones first. */
export function expressionsIn({ body }: Pick<Program, "body">): Expression[] {
  return partsIn(body).filter(isExpression);
}

/**
 * What a program itself states: texts, with gaps for inserted values, and numbers that it names or returns.
 * Arguments of tools do not count.
 */
export function textsIn({ body }: Pick<Program, "body">): string[] {
  const texts: string[] = [];
  visit(body, (part) => {
    if (part.kind === "tool" || part.kind === "need" || part.kind === "look") return false;
    if (part.kind === "literal" && typeof part.value === "string") texts.push(part.value);
    if (part.kind === "template")
      texts.push(part.parts.map((one) => (typeof one === "string" ? one : GAP)).join(""));
    texts.push(...numbersStated(part));
    return true;
  });
  return texts;
}

/** What a program logs, and what it returns itself, outside of its functions. */
export function answersIn({ body }: Pick<Program, "body">): (Expression | undefined)[] {
  const answers = partsIn(body).flatMap((part) => (part.kind === "log" ? [part.value] : []));
  const returned: (Expression | undefined)[] = [];
  visit(body, (part) => {
    if (part.kind === "return") returned.push(part.value);
    return part.kind !== "function";
  });
  return [...answers, ...returned];
}

/** Numbers used directly, not as operands or arguments. */
function numbersStated(part: Part): string[] {
  const values =
    part.kind === "declare" ||
    part.kind === "assign" ||
    part.kind === "return" ||
    part.kind === "log"
      ? [part.value]
      : part.kind === "choose"
        ? [part.then, part.otherwise]
        : [];
  return values.flatMap((value) =>
    value?.kind === "literal" && typeof value.value === "number" ? [String(value.value)] : [],
  );
}

/** Whether nothing is called, sought or asked in the statement of a line and after it. */
export function isCallFreeFrom({ body }: Pick<Program, "body">, line: number): boolean {
  const at = body.findLastIndex((statement) => statement.line <= line);
  const rest = partsIn(body.slice(Math.max(at, 0)));
  return !rest.some(({ kind }) => kind === "tool" || kind === "need" || kind === "look");
}

/** Whether it says that its request takes no function. */
export function needsNoFunction(program: Pick<Program, "body">): boolean {
  return expressionsIn(program).some(
    (part) => part.kind === "helper" && part.name === "noFunctionNeeded",
  );
}

/** Whether it branches on what it finds. */
export function decides({ body }: Pick<Program, "body">): boolean {
  return partsIn(body).some(({ kind }) => DECIDING.has(kind));
}

const DECIDING: ReadonlySet<string> = new Set(["if", "choose", "logic", "try", "switch", "loop"]);

/** Names of reassigned variables anywhere, including in functions with statements. */
export function assignedIn(body: readonly Statement[]): ReadonlySet<string> {
  return new Set(
    partsIn(body).flatMap((part): string[] => {
      if (part.kind === "count") return part.to.kind === "name" ? [part.to.name] : [];
      return part.kind === "assign" ? namesIn(part.to) : [];
    }),
  );
}

export function namesIn(pattern: Pattern): string[] {
  if (pattern.kind === "name") return [pattern.name];
  if (pattern.kind === "target") return [];
  const inner: ({ pattern: Pattern } | undefined)[] =
    pattern.kind === "fields" ? pattern.fields : pattern.items;
  return [...inner.map((part) => part?.pattern), pattern.rest].flatMap((part) =>
    part ? namesIn(part) : [],
  );
}

/** Replaces a value: neither a letter nor a digit. */
const GAP = "\uFFFC";

const STATEMENTS: ReadonlySet<string> = new Set(
  "declare do if each loop switch try block return throw continue break".split(" "),
);

function isExpression(part: Part): part is Expression {
  return !STATEMENTS.has(part.kind);
}

function partsIn(body: readonly Statement[]): Part[] {
  const parts: Part[] = [];
  visit(body, (part) => parts.push(part) > 0);
  return parts;
}

/** @param see returns whether to visit the parts inside, too */
function visit(value: unknown, see: (part: Part) => boolean): void {
  if (Array.isArray(value)) for (const item of value) visit(item, see);
  if (!isPlainObject(value)) return;
  if (isPart(value) && !see(value)) return;
  for (const inner of Object.values(value)) visit(inner, see);
}

/** Patterns have kinds too, but no line. */
function isPart(value: object): value is Part {
  return "kind" in value && "line" in value;
}
