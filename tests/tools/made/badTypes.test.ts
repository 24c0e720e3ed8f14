import { describe, expect, it } from "vitest";
import { type BadDraft, SQUARE_ROOT, body, but, refusal } from "./support.js";

const SYNTAX: BadDraft[] = [
  [
    "a missing bracket",
    but("Math.sqrt(value)", "Math.sqrt(value"),
    "syntax",
    "10:25",
    "')' expected",
  ],
  [
    "a missing brace",
    `\`\`\`ts\n${SQUARE_ROOT.slice(0, -1)}\n\`\`\``,
    "syntax",
    "10:27",
    "'}' expected",
  ],
  [
    "a reply that was cut short",
    `\`\`\`ts\n${SQUARE_ROOT.slice(0, -20)}`,
    "syntax",
    "10:9",
    "'}' expected",
  ],
  [
    "Python",
    "```python\ndef function root(value):\n    return 1\n```\n```ts\nfunction root(value):\n  return 1\n```",
    "syntax",
    "2:10",
    "expected",
  ],
  ["an unterminated text", body('return "abc;'), "syntax", "9:15", "Unterminated string literal"],
  [
    "a comment that ends early",
    `\`\`\`ts
${but("The number;", "The */ number;")}
\`\`\``,
    "syntax",
    "3:32",
    "expected",
  ],
  [
    "fifteen thousand brackets",
    `export function a(b = ${"(".repeat(15_000)}`,
    "syntax",
    "-:-",
    "nested too deep",
  ],
  [
    "brackets without a function",
    `export default ${"(".repeat(15_000)}`,
    "syntax",
    "-:-",
    "nested too deep",
  ],
];

const TYPES: BadDraft[] = [
  [
    "a wrong result",
    body('return "four";'),
    "types",
    "9:3",
    "Type 'string' is not assignable to type 'number'",
  ],
  [
    "a parameter without a type",
    but("value: number)", "value)"),
    "types",
    "8:29",
    "implicitly has an 'any' type",
  ],
  ["no return type", but("): number {", ") {"), "types", "8:17", "no return type; write it"],
  [
    "a path without a result",
    body("if (value > 0) return 1;"),
    "types",
    "8:45",
    "lacks ending return statement",
  ],
  [
    "a half of the paths without a result",
    but("): number", "): number | undefined").replace(
      "return Math.sqrt(value);",
      "if (value > 5) return 1;",
    ),
    "types",
    "8:45",
    "Not all code paths",
  ],
  [
    "console",
    body("console.log(value); return value;"),
    "types",
    "9:3",
    'there is no "console" here',
  ],
  ["process", body("return process.pid;"), "types", "9:10", 'there is no "process" here'],
  [
    "timers",
    body("setTimeout(() => 1, 5); return value;"),
    "types",
    "9:3",
    'there is no "setTimeout" here',
  ],
  [
    "fetch",
    body("void fetch('http://x'); return value;"),
    "types",
    "9:8",
    'there is no "fetch" here',
  ],
  ["Buffer", body("return Buffer.from('a').length;"), "types", "9:10", 'there is no "Buffer" here'],
  [
    "an unknown type",
    but("value: number)", "value: Money)"),
    "types",
    "8:36",
    "Cannot find name 'Money'",
  ],
  [
    "a later language",
    body("return [value].values().map((a) => a).next().value ?? 0;"),
    "types",
    "9:27",
    "does not exist",
  ],
  [
    "a parameter without a schema",
    body("return 1;").replace("value: number)", "value: Map<string, number>)"),
    "types",
    "8:-",
    "Map<string, number>, which has no JSON Schema",
  ],
  [
    "a generic parameter",
    but("square_root(value: number): number", "square_root<T>(value: T): T").replace(
      /\{\n[\s\S]*$/,
      "{ return value; }",
    ),
    "types",
    "8:-",
    "give the generic type a constraint",
  ],
  [
    "a callback",
    body("return 1;").replace("value: number)", "value: () => number)"),
    "types",
    "8:-",
    "pass data in place of a function",
  ],
  [
    "a result that is not data",
    but("): number", "): Map<string, symbol>").replace("Math.sqrt(value)", "new Map()"),
    "types",
    "8:45",
    "JSON cannot carry a result of type Map<string, symbol>",
  ],
  [
    "a context",
    `interface ToolContext { a: number }\n${but("value: number)", "value: number, context: ToolContext)")}`,
    "types",
    "9:-",
    "no ToolContext",
  ],
  [
    "a date",
    body("return 1;").replace("value: number)", "value: { at: Date }[])"),
    "types",
    "8:-",
    "a Date cannot be passed; take a string",
  ],
];

describe("A draft with", () => {
  it.each([...SYNTAX, ...TYPES])(
    "%s is refused at its place.",
    (_fault, reply, kind, place, said) => {
      const { problem, ...found } = refusal(reply);
      expect(found).toEqual({ kind, place });
      expect(problem).toContain(said);
      expect(problem).toMatch(/^.{1,600}$/);
    },
  );
});
