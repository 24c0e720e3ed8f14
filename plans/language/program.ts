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
  | { kind: "do"; value: Expression }
  /** `isTyped`: it has a type of its own, which may have more fields than its value. */
  | { kind: "declare"; pattern: Pattern; value: Expression; isTyped?: true }
  | { kind: "if"; test: Expression; then: Statement[]; otherwise: Statement[] }
  /** `for … of`, and `for … in` over the keys. */
  | ({ kind: "each"; pattern: Pattern; list: Expression; body: Statement[] } & Labelled)
  | ({ kind: "loop"; body: Statement[] } & Loop & Labelled)
  | ({ kind: "switch"; value: Expression; cases: Case[] } & Labelled)
  | {
      kind: "try";
      body: Statement[];
      error: Pattern | undefined;
      rescue: Statement[] | undefined;
      after: Statement[] | undefined;
    }
  | ({ kind: "block"; body: Statement[] } & Labelled)
  | { kind: "return"; value: Expression | undefined }
  /** Without a `catch` around it, it ends the program as unsolved, with a reason. */
  | { kind: "throw"; reason: Expression }
  | ({ kind: "continue" } & Labelled)
  | ({ kind: "break" } & Labelled)
);

interface Labelled {
  label?: string;
}

/** `while`, `do … while` and `for (;;)`. */
interface Loop {
  first: Statement[];
  test: Expression | undefined;
  update: Expression | undefined;
  /** Whether the body runs before the first test. */
  isDo: boolean;
}

export interface Case {
  /** Undefined for `default`. */
  test: Expression | undefined;
  body: Statement[];
}

export type Pattern =
  | { kind: "name"; name: string }
  /** In an assignment: `[list[0], list[1]] = …`. */
  | { kind: "target"; target: Target }
  | {
      kind: "fields";
      fields: { key: string | Expression; pattern: Pattern; otherwise: Expression | undefined }[];
      rest: Pattern | undefined;
    }
  | {
      kind: "items";
      items: ({ pattern: Pattern; otherwise: Expression | undefined } | undefined)[];
      rest: Pattern | undefined;
    };

export interface Parameter {
  pattern: Pattern;
  otherwise: Expression | undefined;
  isRest: boolean;
}

export type At<Kind extends Expression["kind"]> = Extract<Expression, { kind: Kind }>;

export type Target = At<"name"> | At<"field"> | At<"item">;

export type Expression = { line: number } & (
  | { kind: "name"; name: string }
  /** `isGap`: a place of a list without a value. */
  | { kind: "literal"; value: string | number | boolean | null | undefined; isGap?: true }
  | { kind: "template"; parts: (string | Expression)[] }
  | { kind: "list"; items: (Expression | Spread)[] }
  | { kind: "record"; fields: ({ key: string | Expression; value: Expression } | Spread)[] }
  | { kind: "field"; of: Expression; key: string; optional: boolean }
  | { kind: "item"; of: Expression; at: Expression; optional: boolean }
  | { kind: "unary"; operator: UnaryOperator; value: Expression }
  | { kind: "binary"; operator: BinaryOperator; left: Expression; right: Expression }
  | { kind: "logic"; operator: LogicOperator; left: Expression; right: Expression }
  | { kind: "choose"; test: Expression; then: Expression; otherwise: Expression }
  | { kind: "sequence"; values: Expression[] }
  /** `console.log(…)`: a line of the answer of a program that returns nothing; one of `console.error` if there is no other. */
  | { kind: "log"; value: Expression; isError: boolean }
  | {
      kind: "assign";
      to: Pattern;
      operator: ArithmeticOperator | LogicOperator | undefined;
      value: Expression;
    }
  /** `x++` and `--x`. */
  | { kind: "count"; to: Target; by: 1 | -1; isBefore: boolean }
  | { kind: "delete"; from: Target }
  | { kind: "instance"; value: Expression; of: string }
  | FunctionExpression
  | ({ kind: "call"; of: Expression; optional: boolean } & Called)
  /** `isOwn`: it may be a function that the program has put into an object. `mayLack`: `object.run?.()`. */
  | ({ kind: "method"; of: Expression; name: string; optional: boolean } & {
      isOwn?: true;
      mayLack?: true;
    } & Called)
  /** A function of the language by its full name: `sum`, `Math.max`. */
  | ({ kind: "helper"; name: string } & Called)
  | ({ kind: "new"; name: string } & Called)
  | { kind: "pattern"; source: string; flags: string }
  /**
   * `alone`: the parameter that `args` is for if its value is not an object. `isHeld`: the program may go on to ask whether it
   * has failed, as with `Promise.allSettled`.
   */
  | ({ kind: "tool"; site: number; name: string; args: Expression | undefined } & {
      alone?: string;
      isHeld?: true;
    })
  | { kind: "await"; value: Expression }
  | { kind: "need"; phrase: Expression; site: number }
  | { kind: "look"; value: Expression; question: Expression; site: number }
  | { kind: "stop"; reason: Expression }
);

interface Called {
  args: (Expression | Spread)[];
  /** Tells the calls of functions apart, from 0 in text order. */
  turn: number;
}

interface FunctionExpression {
  kind: "function";
  /** By which its own body calls it. */
  name?: string | undefined;
  parameters: Parameter[];
  body: Expression | Statement[];
  isAsync: boolean;
  /** Written as the argument of a method or helper, the only one that calls it. */
  isInline: boolean;
}

export interface Spread {
  spread: Expression;
}

export type UnaryOperator = "!" | "-" | "+" | "~" | "typeof" | "void";

export const LOGIC_OPERATORS = ["&&", "||", "??"] as const;
export type LogicOperator = (typeof LOGIC_OPERATORS)[number];

export const ARITHMETIC_OPERATORS = [
  ...(["+", "-", "*", "/", "%", "**"] as const),
  ...(["&", "|", "^", "<<", ">>", ">>>"] as const),
] as const;
export type ArithmeticOperator = (typeof ARITHMETIC_OPERATORS)[number];

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
