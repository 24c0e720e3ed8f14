import { describe, expect, it } from "vitest";
import { SQUARE_ROOT, body, but, examples, problemsOf, record } from "./support.js";

/** A fault, a reply with it, and what is said about it. */
type Bad = [fault: string, reply: string, said: string];

const NO_CODE: Bad[] = [
  ["no text", "", "there is no code"],
  ["prose alone", "I am sorry, I cannot do that.", "write one function in TypeScript"],
];

const RULES: Bad[] = [
  ["an import", `import fs from "node:fs";\n${SQUARE_ROOT}`, "no imports"],
  ["require", body('const fs = require("fs"); return value;'), "no imports"],
  ["a dynamic import", body('void import("node:fs"); return value;'), "no imports"],
  [
    "two functions",
    `${SQUARE_ROOT}\nfunction helper(): void {}`,
    "there are 2 functions; write exactly one",
  ],
  [
    "an arrow function",
    "```ts\nexport const twice = (value: number): number => value * 2;\n```",
    "write the function as export function name(",
  ],
  [
    "a variable beside it",
    `\`\`\`\nconst EPS = 1e-9;\n${SQUARE_ROOT}\n\`\`\``,
    "no variable beside the function; put it inside the function",
  ],
  [
    "a statement",
    `\`\`\`ts\n${SQUARE_ROOT}\nconsole.log(square_root(4));\n\`\`\``,
    "no statement beside the function",
  ],
  ["a generator", but("function", "function*"), "no generator; return a list"],
  ["@ts-ignore", body("// @ts-ignore\n  return 'x';"), "no @ts-ignore"],
  [
    "a conditional type",
    `type A<T> = T extends string ? 1 : 2;\n${SQUARE_ROOT}`,
    "no conditional, mapped or template types",
  ],
  [
    "Intl",
    body('return new Intl.NumberFormat("de").format(value).length;'),
    "there is no Intl here",
  ],
  [
    "loops seven deep",
    body(`${"for (;;) ".repeat(7)}{ return value; }`),
    "loops are nested more than 6 deep",
  ],
  [
    "functions seven deep",
    body(`return ${"(() => ".repeat(6)}value${")()".repeat(6)};`),
    "functions are nested more than 6 deep",
  ],
  ["too much code", but("the number", "x".repeat(20_000)), "at most 20000"],
  [
    "callTool without @calls",
    body('void callTool("goto", {}); return value;'),
    'the comment has no @calls; add "@calls goto"',
  ],
  [
    "callTool with a computed name",
    body("const name = 'x'; void callTool(name, {}); return value;"),
    "the tool's id as a text",
  ],
];

const SYNTAX: Bad[] = [
  ["a missing bracket", but("Math.sqrt(value)", "Math.sqrt(value"), "')' expected"],
  [
    "a comment that ends early",
    `\`\`\`ts
${but("The number;", "The */ number;")}
\`\`\``,
    "expected",
  ],
  ["fifteen thousand brackets", `export function a(b = ${"(".repeat(15_000)}`, "nested too deep"],
];

const TYPES: Bad[] = [
  ["a wrong result", body('return "four";'), "Type 'string' is not assignable to type 'number'"],
  ["a parameter without a type", but("value: number)", "value)"), "implicitly has an 'any' type"],
  ["no return type", but("): number {", ") {"), "no return type; write it"],
  ["console", body("console.log(value); return value;"), 'there is no "console" here'],
  [
    "a parameter without a schema",
    body("return 1;").replace("value: number)", "value: Map<string, number>)"),
    "Map<string, number>, which has no JSON Schema",
  ],
  [
    "a generic parameter",
    but("square_root(value: number): number", "square_root<T>(value: T): T").replace(
      /\{\n[\s\S]*$/,
      "{ return value; }",
    ),
    "give the generic type a constraint",
  ],
  [
    "a result that is not data",
    but("): number", "): Map<string, symbol>").replace("Math.sqrt(value)", "new Map()"),
    "JSON cannot carry a result of type Map<string, symbol>",
  ],
  [
    "a context",
    `interface ToolContext { a: number }\n${but("value: number)", "value: number, context: ToolContext)")}`,
    "no ToolContext",
  ],
  [
    "a date",
    body("return 1;").replace("value: number)", "value: { at: Date }[])"),
    "a Date cannot be passed; take a string",
  ],
];

const DOCS: Bad[] = [
  ["no description", but(" * Square root of a number.\n", ""), "no description"],
  [
    "a parameter without a text",
    but(" * @param value The number; not negative.\n", ""),
    'parameter "value" has no description; add "@param value',
  ],
  [
    "a huge description",
    but("Square root of a number.", "Square root. ".repeat(500)),
    "the description has 6499 characters; at most 1000",
  ],
  ["@cost", but("@returns", "@cost 0\n * @returns"), "@cost is set by the library; leave it out"],
  ["@effects", but("@returns", "@effects read\n * @returns"), "@effects is set"],
  [
    "@calls of an unknown tool",
    but("@returns", "@calls gota\n * @returns"),
    '@calls: unknown tool "gota"; did you mean "goto"?',
  ],
];

const NAMES: Bad[] = [
  [
    "a control tool's name",
    but("function square_root", "function stop"),
    '"stop" is reserved; choose another name',
  ],
  [
    "an existing tool's name",
    but("function square_root", "function goto_place"),
    'a tool named "goto_place" exists; choose another name, or change that one with update_tool',
  ],
  ["a global's name", but("function square_root", "function parseInt"), "a global of JavaScript"],
  [
    "no name",
    but("export function square_root", "export default function "),
    "the function has no name",
  ],
];

const EXAMPLES: Bad[] = [
  [
    "one example",
    examples("@example square_root(16) => 4"),
    "there is one example; add at least 2",
  ],
  [
    "two results of one call",
    examples("@example square_root(4) => 2", "@example square_root(4.0) => 3"),
    "another result in line 5",
  ],
  [
    "a call of something else",
    examples("@example sqrt(4) => 2", "@example square_root(9) => 3"),
    '"sqrt(4) => 2" is not an example; write "@example square_root(…) => result"',
  ],
  [
    "an argument that is not a literal",
    examples("@example square_root(2 ** 3) => 2", "@example square_root(x) => 3"),
    "literals (numbers, texts, lists, objects), not 2 ** 3) => 2",
  ],
  [
    "no result",
    examples("@example square_root(4)"),
    'square_root(4) states no result; write "square_root(4) => result"',
  ],
  [
    "an argument of the wrong type",
    examples('@example square_root("four") => throws'),
    '`value` must be a number, got the text "four"',
  ],
  ["a missing argument", examples("@example square_root() => throws"), "missing `value`"],
  [
    "runs without @calls",
    examples("@example square_root(4) => runs"),
    '"runs" is for functions with @calls only',
  ],
  ["a call that does not end", examples("@example square_root(4 => 2"), "not => 2"],
  [
    "more examples than there is time for",
    examples(...Array.from({ length: 31 }, (_, at) => `@example square_root(${at * at}) => ${at}`)),
    "31 examples; at most 30",
  ],
];

/** Replies whose first problem is at a line and a column, if it has them. */
const PLACES: [place: string, reply: string][] = [
  ["-:-", "I am sorry, I cannot do that."],
  ["1:1", `import fs from "node:fs";\n${SQUARE_ROOT}`],
  ["9:14", body('const fs = require("fs"); return value;')],
  ["10:25", but("Math.sqrt(value)", "Math.sqrt(value")],
  ["8:29", but("value: number)", "value)")],
  ["4:-", but("@returns", "@cost 0\n * @returns")],
  ["8:17", but("function square_root", "function stop")],
  ["6:-", examples("@example square_root(4) => 2", "@example square_root(4.0) => 3")],
];

function firstOf(reply: string) {
  return problemsOf(reply, { tools: [record("goto"), record("goto_place")] })[0];
}

describe.each([
  ["no code", NO_CODE],
  ["rules", RULES],
  ["syntax", SYNTAX],
  ["types", TYPES],
  ["docs", DOCS],
  ["name", NAMES],
  ["examples", EXAMPLES],
])("A draft against %s", (_kind, drafts) => {
  it.each(drafts)("with %s is refused in one line.", (_fault, reply, said) => {
    const problem = firstOf(reply);
    expect(problem?.problem).toContain(said);
    expect(problem?.problem).toMatch(/^.{1,600}$/);
  });
});

describe("A problem", () => {
  it.each(PLACES)("has its place, such as %s.", (place, reply) => {
    const { line = "-", column = "-" } = firstOf(reply) ?? {};
    expect(`${line}:${column}`).toBe(place);
  });
});
