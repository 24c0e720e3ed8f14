import { wordsOf } from "../../common/nearNames.js";
import { isSchema } from "../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";

/*
 * A program as read: the closed subset of TypeScript in which a model writes what to do. The reader has allowed
 * everything in it, so later code has nothing left to refuse.
 */

export interface Program {
  body: Statement[];
  /** The code without fences, prose and wrappers; line numbers refer to it. */
  code: string;
  /** Calls of functions that are neither local nor part of the language, in order. */
  calls: ProgramCall[];
}

/** A place in the code where a tool is called. */
export interface ProgramCall {
  /** Number of the call site, from 0 in text order. */
  site: number;
  name: string;
  /** Names of the given arguments, as far as visible in the code; they hint at what is expected. */
  given: string[];
  line: number;
}

/** A statement; `line` counts from 1. */
export type Statement = { line: number } & (
  | { kind: "declare"; pattern: Pattern; value: Expression }
  | { kind: "assign"; name: string; value: Expression }
  | { kind: "do"; value: Expression }
  | { kind: "if"; test: Expression; then: Statement[]; otherwise: Statement[] }
  | { kind: "each"; pattern: Pattern; list: Expression; body: Statement[] }
  | { kind: "try"; body: Statement[]; error: string | undefined; rescue: Statement[] }
  | { kind: "block"; body: Statement[] }
  | { kind: "return"; value: Expression | undefined }
  /** Ends the program as unsolved, with a reason. */
  | { kind: "throw"; reason: Expression }
  | { kind: "continue" }
  | { kind: "break" }
);

export type Pattern =
  | { kind: "name"; name: string }
  | {
      kind: "fields";
      fields: { key: string; pattern: Pattern; otherwise: Expression | undefined }[];
      rest: string | undefined;
    }
  | {
      kind: "items";
      items: ({ pattern: Pattern; otherwise: Expression | undefined } | undefined)[];
      rest: string | undefined;
    };

export type At<Kind extends Expression["kind"]> = Extract<Expression, { kind: Kind }>;

export type Expression = { line: number } & (
  | { kind: "literal"; value: string | number | boolean | null | undefined }
  | { kind: "name"; name: string }
  | { kind: "template"; parts: (string | Expression)[] }
  | { kind: "list"; items: (Expression | Spread)[] }
  | { kind: "record"; fields: ({ key: string | Expression; value: Expression } | Spread)[] }
  | { kind: "field"; of: Expression; key: string; optional: boolean }
  | { kind: "item"; of: Expression; at: Expression; optional: boolean }
  | { kind: "unary"; operator: UnaryOperator; value: Expression }
  | { kind: "binary"; operator: BinaryOperator; left: Expression; right: Expression }
  | { kind: "logic"; operator: LogicOperator; left: Expression; right: Expression }
  | { kind: "choose"; test: Expression; then: Expression; otherwise: Expression }
  | { kind: "function"; parameters: Pattern[]; body: Expression | Statement[] }
  /** A method of a value, or one of `Math`, `Object`, `Date` … by `of: undefined` and its full name. */
  | { kind: "method"; of: Expression; name: string; args: Expression[]; optional: boolean }
  | { kind: "helper"; name: string; args: Expression[] }
  | { kind: "date"; value: Expression | undefined }
  | { kind: "tool"; site: number; name: string; args: Expression | undefined }
  /** `Promise.all` of a list. */
  | { kind: "all"; value: Expression }
  | { kind: "need"; phrase: Expression; site: number }
  | { kind: "look"; value: Expression; question: Expression; site: number }
);

export interface Spread {
  spread: Expression;
}

export type UnaryOperator = "!" | "-" | "+" | "typeof";

export const LOGIC_OPERATORS = ["&&", "||", "??"] as const;
export type LogicOperator = (typeof LOGIC_OPERATORS)[number];

export const ARITHMETIC_OPERATORS = ["+", "-", "*", "/", "%", "**"] as const;
export const BINARY_OPERATORS = [
  ...ARITHMETIC_OPERATORS,
  ...(["===", "!==", "==", "!=", "<", "<=", ">", ">=", "in"] as const),
] as const;
export type BinaryOperator = (typeof BINARY_OPERATORS)[number];

/** What prevents a program from running, worded like a compiler error. */
export interface ProgramIssue {
  line?: number;
  kind: "syntax" | "language" | "unknown" | "type" | "bound" | "rejected";
  /** What is wrong, and what to write instead, in one sentence for a model. */
  problem: string;
}

/** Parameter names of the functions that a program may call, in the order of their tools. */
export function parametersOf(
  functions: ReadonlyMap<string, { parameters: JsonSchema }>,
): Map<string, string[]> {
  return new Map(
    [...functions].map(([name, { parameters }]) => {
      const { properties } = parameters;
      return [name, isSchema(properties) ? Object.keys(properties) : []];
    }),
  );
}

/** Words that say nothing about what a function does. */
const EMPTY = new Set(["args", "data", "input", "options", "params", "value", "x"]);

/**
 * The search phrase for an unknown function of a program: the words of its name, and of its arguments if they
 * add something ("find user by name").
 */
export function phraseOf({ name, given }: Pick<ProgramCall, "name" | "given">): string {
  const words = wordsOf(name);
  const said = new Set(words);
  const others = given.map((argument) =>
    wordsOf(argument)
      .filter((word) => word.length > 1 && !said.has(word) && !EMPTY.has(word))
      .join(" "),
  );
  const by = [...new Set(others)].filter((text) => text !== "").join(" and ");
  return by ? `${words.join(" ")} by ${by}` : words.join(" ");
}
