import { assignedIn } from "../expressionsIn.js";
import type { At, Pattern, Program, Statement, Expression, Spread } from "../program.js";
import { helperName } from "./prelude.js";
import { CONSTANTS } from "../language.js";

/** A program as text for TypeScript's type check, and the line of the code for a position in it. */
export type TypeCheckText = ReturnType<typeof typeCheckText>;

/**
 * Writes a parsed program for the type check: without its own type annotations, which could claim anything, and
 * with names for tools and helpers that the program cannot use.
 *
 * @param declared names of tools with a known type; others accept and return anything
 */
export function typeCheckText(program: Program, declared: ReadonlySet<string>) {
  const assigned = assignedIn(program.body);
  const writing: Writing = { text: "", marks: [], declared, assigned };
  write(writing, "function $_program() {\n");
  writeBlock(program.body, writing);
  write(writing, "}\n");
  const { text, marks } = writing;
  const lineAt = (position: number) =>
    marks.findLast(({ from }) => from <= position)?.line ?? marks[0]?.line ?? 1;
  return { text, lineAt };
}

function writeBlock(body: readonly Statement[], writing: Writing): void {
  for (const statement of body) {
    mark(writing, statement.line);
    writeStatement(statement, writing);
    write(writing, "\n");
  }
}

function writeStatement(statement: Statement, writing: Writing): void {
  switch (statement.kind) {
    case "declare": {
      const isAssigned = namesIn(statement.pattern).some((name) => writing.assigned.has(name));
      write(writing, isAssigned ? "let " : "const ");
      writePattern(statement.pattern, writing);
      return writeAll([" = ", statement.value, ";"], writing);
    }
    case "assign":
      return writeAll([`${statement.name} = `, statement.value, ";"], writing);
    case "do":
      return writeAll([statement.value, ";"], writing);
    case "if":
      writeAll(["if (", statement.test, ") {\n"], writing);
      writeBlock(statement.then, writing);
      write(writing, "} else {\n");
      writeBlock(statement.otherwise, writing);
      return write(writing, "}");
    case "each":
      write(writing, "for (let ");
      writePattern(statement.pattern, writing);
      writeAll([" of ", statement.list, ") {\n"], writing);
      writeBlock(statement.body, writing);
      return write(writing, "}");
    case "try":
      write(writing, "try {\n");
      writeBlock(statement.body, writing);
      write(writing, `} catch${statement.error === undefined ? "" : ` (${statement.error})`} {\n`);
      writeBlock(statement.rescue, writing);
      return write(writing, "}");
    case "block":
      write(writing, "{\n");
      writeBlock(statement.body, writing);
      return write(writing, "}");
    case "return":
      return writeAll(["return ", ...(statement.value ? [statement.value] : []), ";"], writing);
    case "throw":
      return writeAll(["throw ", statement.reason, ";"], writing);
    case "continue":
    case "break":
      return write(writing, `${statement.kind};`);
  }
}

function namesIn(pattern: Pattern): string[] {
  if (pattern.kind === "name") return [pattern.name];
  const rest = pattern.rest === undefined ? [] : [pattern.rest];
  const inner =
    pattern.kind === "fields" ? pattern.fields : pattern.items.filter((item) => item !== undefined);
  return [...inner.flatMap((part) => namesIn(part.pattern)), ...rest];
}

/** Prefix of tools in the text, because their plain names may be those of values. */
export const TOOLS = "$tools";

/** A text being written, with the context this needs. */
interface Writing {
  text: string;
  marks: { from: number; line: number }[];
  declared: ReadonlySet<string>;
  /** Reassigned names; the others keep the narrow type of a constant. */
  assigned: ReadonlySet<string>;
}

function write(writing: Writing, text: string): void {
  writing.text += text;
}

/** Maps what is written next to a line of the code. */
function mark(writing: Writing, line: number): void {
  writing.marks.push({ from: writing.text.length, line });
}

function writePattern(pattern: Pattern, writing: Writing): void {
  if (pattern.kind === "name") return write(writing, pattern.name);
  const isFields = pattern.kind === "fields";
  write(writing, isFields ? "{ " : "[");
  if (isFields) {
    for (const { key, ...part } of pattern.fields) {
      write(writing, `${JSON.stringify(key)}: `);
      writePart(part, writing);
    }
  } else {
    for (const item of pattern.items) {
      if (item) writePart(item, writing);
      else write(writing, ", ");
    }
  }
  if (pattern.rest !== undefined) write(writing, `...${pattern.rest}`);
  write(writing, isFields ? " }" : "]");
}

function writePart(
  { pattern, otherwise }: { pattern: Pattern; otherwise: Expression | undefined },
  writing: Writing,
): void {
  writePattern(pattern, writing);
  if (otherwise) writeAll([" = ", otherwise], writing);
  write(writing, ", ");
}

function writeAll(parts: readonly (string | Expression | Spread)[], writing: Writing): void {
  for (const part of parts) {
    if (typeof part === "string") write(writing, part);
    else if ("spread" in part) writeAll(["...", part.spread], writing);
    else writeExpression(part, writing);
  }
}

/** In brackets if its surroundings could bind tighter. */
function writeExpression(expression: Expression, writing: Writing): void {
  mark(writing, expression.line);
  switch (expression.kind) {
    case "literal":
      return write(writing, literalText(expression.value));
    case "name":
      return write(writing, expression.name);
    case "template":
      return writeTemplate(expression.parts, writing);
    case "list":
      if (expression.items.length === 0) return write(writing, "$_list");
      return writeList(["[", "]"], expression.items, writing);
    case "record":
      if (expression.fields.length === 0) return write(writing, "$_any");
      return writeRecord(expression.fields, writing);
    case "field":
      return writeAll([expression.of, fieldText(expression)], writing);
    case "item":
      return writeAll(
        [expression.of, expression.optional ? "?.[" : "[", expression.at, "]"],
        writing,
      );
    case "unary":
      return writeAll([`(${expression.operator} `, expression.value, ")"], writing);
    case "binary":
    case "logic":
      return writeAll(
        ["(", expression.left, ` ${expression.operator} `, expression.right, ")"],
        writing,
      );
    case "choose":
      return writeAll(
        ["(", expression.test, " ? ", expression.then, " : ", expression.otherwise, ")"],
        writing,
      );
    case "function":
      return writeFunction(expression, writing);
    default:
      return writeCall(expression, writing);
  }
}

type Call = Extract<
  Expression,
  { kind: "method" | "helper" | "date" | "tool" | "all" | "need" | "look" }
>;

function writeCall(call: Call, writing: Writing): void {
  switch (call.kind) {
    case "method":
      writeAll([call.of, `${call.optional ? "?." : "."}${call.name}`], writing);
      return writeList(["(", ")"], call.args, writing);
    case "helper":
      write(writing, helperName(call.name));
      if (Object.hasOwn(CONSTANTS, call.name)) return;
      return writeList(["(", ")"], call.args, writing);
    case "date":
      write(writing, "$_date");
      return writeList(["(", ")"], call.value ? [call.value] : [], writing);
    case "tool":
      return writeToolCall(call, writing);
    case "all":
      return writeAll(["$_all(", call.value, ")"], writing);
    case "need":
      return write(writing, "$_any");
    case "look":
      return writeAll(["$_look(", call.value, ", ", call.question, ")"], writing);
  }
}

/** A call without arguments gets an empty object, so that missing arguments are found. */
function writeToolCall({ name, args }: Extract<Call, { kind: "tool" }>, writing: Writing): void {
  write(writing, writing.declared.has(name) ? `${TOOLS}["${name}"](` : "$_call(");
  if (!args || (args.kind === "record" && args.fields.length === 0)) write(writing, "{}");
  else writeExpression(args, writing);
  write(writing, ")");
}

function writeFunction({ parameters, body }: At<"function">, writing: Writing): void {
  write(writing, "((");
  for (const parameter of parameters) {
    writePattern(parameter, writing);
    write(writing, ", ");
  }
  write(writing, ") => ");
  if (Array.isArray(body)) {
    write(writing, "{\n");
    writeBlock(body, writing);
    return write(writing, "})");
  }
  return writeAll(["(", body, "))"], writing);
}

function writeList(
  [open, close]: [string, string],
  items: readonly (Expression | Spread)[],
  writing: Writing,
): void {
  write(writing, open);
  for (const item of items) writeAll([item, ", "], writing);
  write(writing, close);
}

function writeRecord(fields: At<"record">["fields"], writing: Writing): void {
  write(writing, "({ ");
  for (const field of fields) {
    mark(writing, "spread" in field ? field.spread.line : field.value.line);
    if ("spread" in field) writeAll([field, ", "], writing);
    else if (typeof field.key === "string")
      writeAll([`${JSON.stringify(field.key)}: `, field.value, ", "], writing);
    else writeAll(["[", field.key, "]: ", field.value, ", "], writing);
  }
  write(writing, "})");
}

function writeTemplate(parts: readonly (string | Expression)[], writing: Writing): void {
  write(writing, "`");
  for (const part of parts) {
    // Texts have no type to check.
    if (typeof part !== "string") writeAll(["${", part, "}"], writing);
  }
  write(writing, "`");
}

function fieldText({ key, optional }: At<"field">): string {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key)) {
    return `${optional ? "?." : ""}[${JSON.stringify(key)}]`;
  }
  return `${optional ? "?." : "."}${key}`;
}

/** A boolean may change where TypeScript does not notice. */
function literalText(value: At<"literal">["value"]): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "boolean") return "$_boolean";
  if (typeof value === "number") return `(${value})`;
  return String(value);
}
