import { assignedIn, expressionsIn, namesIn } from "../expressionsIn.js";
import { CONSTANTS, ENDLESS } from "../language.js";
import type { At, Expression, Parameter, Pattern, Program, Spread, Statement } from "../program.js";
import { helperName } from "./prelude.js";

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
  return { text, lineAt, ownFields: ownFieldsIn(program) };
}

/** The fields that a program assigns to. */
function ownFieldsIn(program: Program): ReadonlySet<string> {
  const targets = expressionsIn(program).flatMap((part) =>
    part.kind === "assign" && part.to.kind === "target" ? [part.to.target] : [],
  );
  return new Set(targets.flatMap((target) => (target.kind === "field" ? [target.key] : [])));
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
    case "do":
      return writeAll([statement.value, ";"], writing);
    case "if":
      writeAll(["if (", statement.test, ") {\n"], writing);
      writeBlock(statement.then, writing);
      write(writing, "} else {\n");
      writeBlock(statement.otherwise, writing);
      return write(writing, "}");
    case "each":
      write(writing, `${labelText(statement)}for (let `);
      writePattern(statement.pattern, writing);
      writeAll([" of ", statement.list, ") {\n"], writing);
      writeBlock(statement.body, writing);
      return write(writing, "}");
    case "try":
      write(writing, "try {\n");
      writeBlock(statement.body, writing);
      return writeRescue(statement, writing);
    case "loop":
      return writeLoop(statement, writing);
    case "switch":
      return writeSwitch(statement, writing);
    case "block":
      write(writing, `${labelText(statement)}{\n`);
      writeBlock(statement.body, writing);
      return write(writing, "}");
    case "return":
      return writeAll(["return ", ...(statement.value ? [statement.value] : []), ";"], writing);
    case "throw":
      return writeAll(["throw ", statement.reason, ";"], writing);
    case "continue":
    case "break":
      return write(writing, `${statement.kind} ${statement.label ?? ""};`);
  }
}

function labelText({ label }: { label?: string }): string {
  return label === undefined ? "" : `${label}: `;
}

function writeRescue(statement: Extract<Statement, { kind: "try" }>, writing: Writing): void {
  const { error, rescue, after } = statement;
  if (rescue) {
    write(writing, "} catch ");
    if (error) {
      write(writing, "($error) {\nlet ");
      writePattern(error, writing);
      write(writing, " = $_as($error);\n");
    } else write(writing, "{\n");
    writeBlock(rescue, writing);
  }
  if (after) {
    write(writing, "} finally {\n");
    writeBlock(after, writing);
  }
  write(writing, rescue || after ? "}" : "} finally {}");
}

function writeLoop(statement: Extract<Statement, { kind: "loop" }>, writing: Writing): void {
  const { first, test, update, body } = statement;
  write(writing, "{\n");
  writeBlock(first, writing);
  write(writing, `${labelText(statement)}for (;`);
  // A test that comes last says nothing about the first turn.
  if (test && !statement.isDo) writeExpression(test, writing);
  write(writing, ";");
  if (update) writeExpression(update, writing);
  write(writing, ") {\n");
  writeBlock(body, writing);
  if (test && statement.isDo) writeAll(["if (!(", test, ")) break;\n"], writing);
  write(writing, "}}");
}

function writeSwitch(statement: Extract<Statement, { kind: "switch" }>, writing: Writing): void {
  writeAll([`${labelText(statement)}switch (`, statement.value, ") {\n"], writing);
  for (const { test, body } of statement.cases) {
    if (test) writeAll(["case ", test, ":\n"], writing);
    else write(writing, "default:\n");
    writeBlock(body, writing);
  }
  write(writing, "}");
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
  if (pattern.kind === "target") return writeTarget(pattern.target, writing);
  const isFields = pattern.kind === "fields";
  write(writing, isFields ? "{ " : "[");
  if (isFields) {
    for (const { key, ...part } of pattern.fields) {
      if (typeof key === "string") write(writing, `${JSON.stringify(key)}: `);
      else writeAll(["[", key, "]: "], writing);
      writePart(part, writing);
    }
  } else {
    for (const item of pattern.items) {
      if (item) writePart(item, writing);
      else write(writing, ", ");
    }
  }
  if (pattern.rest) {
    write(writing, "...");
    writePattern(pattern.rest, writing);
  }
  write(writing, isFields ? " }" : "]");
}

/** Values of the program may get any fields. */
function writeTarget(target: At<"name"> | At<"field"> | At<"item">, writing: Writing): void {
  if (target.kind === "name") return write(writing, target.name);
  write(writing, "$_as(");
  writeExpression(target.of, writing);
  if (target.kind === "field") write(writing, `)[${JSON.stringify(target.key)}]`);
  else writeAll([")[", target.at, "]"], writing);
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
      return writeOther(expression, writing);
  }
}

type Call = Extract<Expression, { kind: "method" | "helper" | "new" | "tool" | "look" | "call" }>;

function writeOther(
  expression:
    | Call
    | Extract<
        Expression,
        {
          kind:
            | "sequence"
            | "assign"
            | "count"
            | "delete"
            | "instance"
            | "await"
            | "pattern"
            | "need"
            | "stop";
        }
      >,
  writing: Writing,
): void {
  switch (expression.kind) {
    case "sequence":
      return writeAll(
        ["(", ...expression.values.flatMap((one) => [one, ", "]), "undefined)"],
        writing,
      );
    case "assign": {
      const { to, operator, value } = expression;
      write(writing, "(");
      writePattern(to, writing);
      return writeAll([` ${operator ?? ""}= `, value, ")"], writing);
    }
    case "count":
      write(writing, expression.isBefore ? "(++" : "(");
      writeTarget(expression.to, writing);
      return write(writing, expression.isBefore ? ")" : "++)");
    case "delete":
      return writeAll(["$_as(", expression.from, ")"], writing);
    case "instance":
      return writeAll(["($_as(", expression.value, ") && $_boolean)"], writing);
    case "await":
      return writeExpression(expression.value, writing);
    case "stop":
      return writeAll(["$_stop(", expression.reason, ")"], writing);
    case "pattern":
    case "need":
      return write(writing, "$_any");
    default:
      return writeCall(expression, writing);
  }
}

function writeCall(call: Call, writing: Writing): void {
  switch (call.kind) {
    case "method":
      writeAll([call.of, `${call.optional ? "?." : "."}${call.name}`], writing);
      return writeList(["(", ")"], call.args, writing);
    case "helper":
      if (Object.hasOwn(ENDLESS, call.name)) return write(writing, "(1 / 0)");
      write(writing, helperName(call.name));
      if (Object.hasOwn(CONSTANTS, call.name)) return;
      return writeList(["(", ")"], call.args, writing);
    case "new": {
      const made = new Map([
        ["Date", "$_date("],
        ["Array", "$_list_of("],
      ]);
      return writeList(
        [made.get(call.name) ?? "$_as([", made.has(call.name) ? ")" : "])"],
        call.args,
        writing,
      );
    }
    case "call":
      writeAll([call.of, call.optional ? "?." : ""], writing);
      return writeList(["(", ")"], call.args, writing);
    case "tool":
      return writeToolCall(call, writing);
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

/** A function of the program may be called with fewer arguments than it has parameters, and with more. */
function writeFunction({ parameters, body, isInline }: At<"function">, writing: Writing): void {
  write(writing, "((");
  for (const parameter of parameters) writeParameter(parameter, isInline, writing);
  if (!isInline && !parameters.some(({ isRest }) => isRest)) write(writing, "...$rest: any[]");
  write(writing, ") => ");
  if (Array.isArray(body)) {
    write(writing, "{\n");
    writeBlock(body, writing);
    return write(writing, "})");
  }
  return writeAll(["(", body, "))"], writing);
}

function writeParameter(
  { pattern, otherwise, isRest }: Parameter,
  isInline: boolean,
  writing: Writing,
): void {
  write(writing, isRest ? "..." : "");
  writePattern(pattern, writing);
  if (isRest) write(writing, ": any[]");
  else if (!isInline)
    writeAll(
      [": any = ", otherwise ? "$_as(" : "$_any", ...(otherwise ? [otherwise, ")"] : [])],
      writing,
    );
  else if (otherwise) writeAll([" = ", otherwise], writing);
  if (!isRest) write(writing, ", ");
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
