import { assignedIn, expressionsIn, namesIn } from "../expressionsIn.js";
import { CONSTANTS, ENDLESS } from "../language.js";
import type { At, Expression, Pattern, Program, Spread, Statement, Target } from "../program.js";
import { helperName } from "./types.js";

/** A program as text for TypeScript's type check, and the line of the code for a position in it. */
export type TypeCheckText = ReturnType<typeof typeCheckText>;

/** What stands before each statement and expression: its line in the code. */
const LINE = /\/\*(\d+)\*\//g;

/**
 * Writes a parsed program for the type check: without its own type annotations, which could claim anything, and
 * with names for tools and helpers that the program cannot use.
 *
 * @param declared names of tools with a known type; others accept and return anything
 */
export function typeCheckText(program: Program, declared: ReadonlySet<string>) {
  const writer = new Writer(declared, assignedIn(program.body));
  const text = `function $_program() {\n${writer.block(program.body)}}\n`;
  const lineAt = (position: number): number => {
    const lines = [...text.matchAll(LINE)];
    return Number((lines.findLast(({ index }) => index < position) ?? lines[0])?.[1] ?? 1);
  };
  return { text, lineAt, ownFields: ownFieldsIn(program) };
}

function ownFieldsIn(program: Program): ReadonlySet<string> {
  const targets = expressionsIn(program).flatMap((part) =>
    part.kind === "assign" && part.to.kind === "target" ? [part.to.target] : [],
  );
  return new Set(targets.flatMap((target) => (target.kind === "field" ? [target.key] : [])));
}

/** Prefix of tools in the text, because their plain names may be those of values. */
export const TOOLS = "$tools";

type One<Kind extends Statement["kind"]> = Extract<Statement, { kind: Kind }>;

class Writer {
  readonly #declared: ReadonlySet<string>;
  /** Reassigned names; the others keep the narrow type of a constant. */
  readonly #assigned: ReadonlySet<string>;

  constructor(declared: ReadonlySet<string>, assigned: ReadonlySet<string>) {
    this.#declared = declared;
    this.#assigned = assigned;
  }

  block(body: readonly Statement[]): string {
    return body.map((one) => `${lineMark(one)}${this.#statement(one)}\n`).join("");
  }

  #statement(one: Statement): string {
    const label = "label" in one && one.label !== undefined ? `${one.label}: ` : "";
    switch (one.kind) {
      case "declare": {
        const isAssigned = namesIn(one.pattern).some((name) => this.#assigned.has(name));
        const kind = isAssigned ? "let" : "const";
        const isOpen = one.isTyped && ["record", "list"].includes(one.value.kind);
        const value = isOpen ? `$_open(${this.#text(one.value)})` : this.#text(one.value);
        return `${kind} ${this.#pattern(one.pattern)} = ${value};`;
      }
      case "do":
        return `${this.#text(one.value)};`;
      case "if": {
        const branches = [one.then, one.otherwise].map((body) => this.block(body));
        return `if (${this.#text(one.test)}) {\n${branches.join("} else {\n")}}`;
      }
      case "each": {
        const head = `for (let ${this.#pattern(one.pattern)} of ${this.#text(one.list)})`;
        return `${label}${head} {\n${this.block(one.body)}}`;
      }
      case "try":
        return this.#attempt(one);
      case "loop":
        return this.#loop(one, label);
      case "switch":
        return `${label}switch (${this.#text(one.value)}) {\n${this.#cases(one)}}`;
      case "block":
        return `${label}{\n${this.block(one.body)}}`;
      case "return":
        return `return ${one.value ? this.#text(one.value) : ""};`;
      case "throw":
        return `throw ${this.#text(one.reason)};`;
      default:
        return `${one.kind} ${one.label ?? ""};`;
    }
  }

  #attempt({ body, error, rescue, after }: One<"try">): string {
    const given = error ? `($error) {\nlet ${this.#pattern(error)} = $_as($error);\n` : "{\n";
    const caught = rescue ? ` catch ${given}${this.block(rescue)}}` : "";
    const ended = after || !rescue ? ` finally {\n${this.block(after ?? [])}}` : "";
    return `try {\n${this.block(body)}}${caught}${ended}`;
  }

  #loop({ first, test, update, body, isDo }: One<"loop">, label: string): string {
    // A test that comes last says nothing about the first turn.
    const head = `for (;${test && !isDo ? this.#text(test) : ""};${update ? this.#text(update) : ""})`;
    const last = test && isDo ? `if (!(${this.#text(test)})) break;\n` : "";
    return `{\n${this.block(first)}${label}${head} {\n${this.block(body)}${last}}}`;
  }

  #cases({ cases }: One<"switch">): string {
    const written = cases.map(
      ({ test, body }) => `${test ? `case ${this.#text(test)}` : "default"}:\n${this.block(body)}`,
    );
    return written.join("");
  }

  #pattern(pattern: Pattern): string {
    if (pattern.kind === "name") return pattern.name;
    if (pattern.kind === "target") return this.#target(pattern.target);
    const rest = pattern.rest ? `...${this.#pattern(pattern.rest)}` : "";
    if (pattern.kind === "items")
      return `[${pattern.items.map((item) => `${item ? this.#part(item) : ""}, `).join("")}${rest}]`;
    const fields = pattern.fields.map((field) => `${this.#key(field.key)}${this.#part(field)}, `);
    return `{ ${fields.join("")}${rest} }`;
  }

  #part({ pattern, otherwise }: { pattern: Pattern; otherwise: Expression | undefined }): string {
    return `${this.#pattern(pattern)}${otherwise ? ` = ${this.#text(otherwise)}` : ""}`;
  }

  #key(key: string | Expression): string {
    return typeof key === "string" ? `${quoted(key)}: ` : `[${this.#text(key)}]: `;
  }

  /** Values of the program may get any fields. */
  #target(target: Target): string {
    if (target.kind === "name") return target.name;
    const key = target.kind === "field" ? quoted(target.key) : this.#text(target.at);
    return `$_as(${this.#text(target.of)})[${key}]`;
  }

  #text(part: Expression | Spread): string {
    if ("spread" in part) return `...${this.#text(part.spread)}`;
    return `${lineMark(part)}${this.#expression(part)}`;
  }

  /** In brackets if its surroundings could bind tighter. */
  #expression(one: Expression): string {
    const text = (part: Expression | Spread) => this.#text(part);
    switch (one.kind) {
      case "literal":
        return literalText(one.value);
      case "name":
        return one.name;
      case "template": {
        // Texts have no type to check, and none of them is known.
        const values = one.parts.filter((part) => typeof part !== "string");
        return `\`${values.map((part) => `\${${text(part)}}`).join("")}\${$_any}\``;
      }
      case "list":
        return one.items.length === 0 ? "$_list" : `[${this.#all(one.items)}]`;
      case "record":
        return one.fields.length === 0 ? "$_any" : `({ ${this.#fields(one)}})`;
      case "field":
        return `${text(one.of)}${fieldText(one)}`;
      case "item":
        return `${text(one.of)}${one.optional ? "?." : ""}[${text(one.at)}]`;
      case "unary":
        return `(${one.operator} ${text(one.value)})`;
      case "binary":
      case "logic":
        return `(${text(one.left)} ${one.operator} ${text(one.right)})`;
      case "choose":
        return `(${text(one.test)} ? ${text(one.then)} : ${text(one.otherwise)})`;
      case "sequence":
        return `(${this.#all(one.values)}undefined)`;
      case "function":
        return this.#function(one);
      default:
        return this.#action(one);
    }
  }

  #action(one: Exclude<Expression, At<PlainKind>>): string {
    const text = (part: Expression) => this.#text(part);
    switch (one.kind) {
      case "assign":
        return `(${this.#pattern(one.to)} ${one.operator ?? ""}= ${text(one.value)})`;
      case "count":
        return `(${one.isBefore ? "++" : ""}${this.#target(one.to)}${one.isBefore ? "" : "++"})`;
      case "delete":
        return `$_as(${text(one.from)})`;
      case "instance":
        return `($_as(${text(one.value)}) && $_boolean)`;
      case "await":
      case "log":
        return text(one.value);
      case "stop":
        return `$_stop(${text(one.reason)})`;
      case "look":
        return `$_look(${text(one.value)}, ${text(one.question)})`;
      case "pattern":
      case "need":
        return "$_any";
      default:
        return this.#call(one);
    }
  }

  #call(call: At<"method" | "helper" | "new" | "call" | "tool">): string {
    if (call.kind === "tool") return this.#toolCall(call);
    const args = this.#all(call.args);
    if (call.kind === "method")
      return `${this.#text(call.of)}${call.optional ? "?." : "."}${call.name}(${args})`;
    if (call.kind === "call") return `${this.#text(call.of)}${call.optional ? "?." : ""}(${args})`;
    const { name } = call;
    if (call.kind === "helper") {
      if (Object.hasOwn(ENDLESS, name)) return "(1 / 0)";
      return `${helperName(name)}${Object.hasOwn(CONSTANTS, name) ? "" : `(${args})`}`;
    }
    if (name === "Date") return `$_date(${args})`;
    return name === "Array" ? `$_list_of(${args})` : `$_as([${args}])`;
  }

  /** A call without arguments gets an empty object, so that missing arguments are found. */
  #toolCall({ name, args, alone }: At<"tool">): string {
    const isEmpty = !args || (args.kind === "record" && args.fields.length === 0);
    const called = this.#declared.has(name) ? `${TOOLS}["${name}"]` : "$_call";
    const given = isEmpty ? "{}" : this.#text(args);
    return `${called}(${alone === undefined ? given : `$_given(${quoted(alone)}, ${given})`})`;
  }

  /** A function of the program may be called with fewer arguments than it has parameters, and with more. */
  #function({ parameters, body, isInline }: At<"function">): string {
    const written = parameters.map(({ pattern, otherwise, isRest }) => {
      if (isRest) return `...${this.#pattern(pattern)}: any[]`;
      if (isInline) return `${this.#part({ pattern, otherwise })}, `;
      const value = otherwise ? `$_as(${this.#text(otherwise)})` : "$_any";
      return `${this.#pattern(pattern)}: any = ${value}, `;
    });
    const hasRest = isInline || parameters.some(({ isRest }) => isRest);
    const given = `${written.join("")}${hasRest ? "" : "...$rest: any[]"}`;
    return `((${given}) => ${Array.isArray(body) ? `{\n${this.block(body)}}` : `(${this.#text(body)})`})`;
  }

  #fields({ fields }: At<"record">): string {
    const written = fields.map((field) =>
      "spread" in field
        ? `${this.#text(field)}, `
        : `${lineMark(field.value)}${this.#key(field.key)}${this.#text(field.value)}, `,
    );
    return written.join("");
  }

  #all(items: readonly (Expression | Spread)[]): string {
    return items.map((item) => `${this.#text(item)}, `).join("");
  }
}

type PlainKind =
  | ("literal" | "name" | "template" | "list" | "record" | "field" | "item" | "unary")
  | ("binary" | "logic" | "choose" | "sequence" | "function");

function lineMark({ line }: { line: number }): string {
  return `/*${line}*/`;
}

/** As a literal, without what would look like the mark of a line. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("/*", "/\\*");
}

function fieldText({ key, optional }: At<"field">): string {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key)) return `${optional ? "?." : ""}[${quoted(key)}]`;
  return `${optional ? "?." : "."}${key}`;
}

/** A boolean may change where TypeScript does not notice. */
function literalText(value: At<"literal">["value"]): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "boolean") return "$_boolean";
  return typeof value === "number" ? `(${value})` : String(value);
}
