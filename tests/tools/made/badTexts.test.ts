import { describe, expect, it } from "vitest";
import { type BadDraft, SQUARE_ROOT, but, examples, refusal } from "./support.js";

const HEAD = "export function square_root(value: number): number {";

const DOCS: BadDraft[] = [
  [
    "no comment",
    HEAD.concat(" return value; }"),
    "docs",
    "1:-",
    "no description; add a TSDoc comment",
  ],
  ["a plain comment", SQUARE_ROOT.replace("/**", "/*"), "docs", "8:-", "no description"],
  ["no description", but(" * Square root of a number.\n", ""), "docs", "7:-", "no description"],
  [
    "a parameter without a text",
    but(" * @param value The number; not negative.\n", ""),
    "docs",
    "7:-",
    'parameter "value" has no description; add "@param value',
  ],
  [
    "a text for another parameter",
    but("@param value", "@param number"),
    "docs",
    "8:-",
    'parameter "value" has no description',
  ],
  [
    "a huge description",
    but("Square root of a number.", "Square root. ".repeat(500)),
    "docs",
    "8:-",
    "the description has 6499 characters; at most 1000",
  ],
  [
    "a huge text of a parameter",
    but("The number;", "Number ".repeat(200)),
    "docs",
    "8:-",
    'the description of parameter "value" has',
  ],
  [
    "@cost",
    but("@returns", "@cost 0\n * @returns"),
    "docs",
    "4:-",
    "@cost is set by the library; leave it out",
  ],
  [
    "@timeout",
    but("@returns", "@timeout never\n * @returns"),
    "docs",
    "4:-",
    "@timeout is set by the library",
  ],
  ["@approval", but("@returns", "@approval false\n * @returns"), "docs", "4:-", "@approval is set"],
  ["@effects", but("@returns", "@effects read\n * @returns"), "docs", "4:-", "@effects is set"],
  ["@name", but("@returns", "@name stop\n * @returns"), "docs", "4:-", "@name is set"],
  [
    "@calls of an unknown tool",
    but("@returns", "@calls gota\n * @returns"),
    "docs",
    "4:-",
    '@calls: unknown tool "gota"; did you mean "goto"?',
  ],
  [
    "@calls of itself",
    but("@returns", "@calls square_root\n * @returns"),
    "docs",
    "4:-",
    'unknown tool "square_root"',
  ],
];

const NAMES: BadDraft[] = [
  [
    "a control tool's name",
    but("function square_root", "function stop"),
    "name",
    "8:17",
    '"stop" is reserved; choose another name',
  ],
  [
    "callTool as its name",
    but("function square_root", "function callTool"),
    "name",
    "8:17",
    "is reserved",
  ],
  [
    "an existing tool's name",
    but("function square_root", "function goto_place"),
    "name",
    "8:17",
    'a tool named "goto_place" exists; choose another name, or change that one with update_tool',
  ],
  [
    "a global's name",
    but("function square_root", "function parseInt"),
    "name",
    "8:17",
    "a global of JavaScript",
  ],
  [
    "letters beyond A to Z",
    but("function square_root", "function wurzel_ä"),
    "name",
    "8:17",
    "letters A to Z",
  ],
  [
    "a name of 65 letters",
    but("function square_root", `function ${"a".repeat(65)}`),
    "name",
    "8:17",
    "at most 64",
  ],
  [
    "no name",
    but("export function square_root", "export default function "),
    "name",
    "8:1",
    "the function has no name",
  ],
];

const EXAMPLES: BadDraft[] = [
  ["no examples", examples(), "examples", "6:-", "there are no examples; add at least 2"],
  [
    "one example",
    examples("@example square_root(16) => 4"),
    "examples",
    "7:-",
    "there is one example; add at least 2",
  ],
  [
    "the same example twice",
    examples("@example square_root(4) => 2", "@example square_root(4) => 2"),
    "examples",
    "8:-",
    "there is one example",
  ],
  [
    "two results of one call",
    examples("@example square_root(4) => 2", "@example square_root(4.0) => 3"),
    "examples",
    "6:-",
    "another result in line 5",
  ],
  [
    "a call of something else",
    examples("@example sqrt(4) => 2", "@example square_root(9) => 3"),
    "examples",
    "5:-",
    '"sqrt(4) => 2" is not an example; write "@example square_root(…) => result"',
  ],
  [
    "an argument that is not a literal",
    examples("@example square_root(2 ** 3) => 2", "@example square_root(x) => 3"),
    "examples",
    "5:-",
    "literals (numbers, texts, lists, objects), not ** 3) => 2",
  ],
  [
    "a result that is not a literal",
    examples("@example square_root(4) => Math.sqrt(4)"),
    "examples",
    "5:-",
    "not Math.sqrt(4)",
  ],
  [
    "a result with a remark",
    examples("@example square_root(2) => 1.41 (about)"),
    "examples",
    "5:-",
    'after the result 1.41 comes "(about)"',
  ],
  [
    "a result with a unit",
    examples("@example square_root(4) => 2 metres"),
    "examples",
    "5:-",
    'comes "metres"',
  ],
  [
    "no result",
    examples("@example square_root(4)"),
    "examples",
    "5:-",
    'square_root(4) states no result; write "square_root(4) => result"',
  ],
  [
    "an argument of the wrong type",
    examples('@example square_root("four") => throws'),
    "examples",
    "5:-",
    '`value` must be a number, got the text "four"',
  ],
  [
    "too many arguments",
    examples("@example square_root(4, 5) => 2"),
    "examples",
    "5:-",
    "2 arguments for square_root(value)",
  ],
  [
    "a missing argument",
    examples("@example square_root() => throws"),
    "examples",
    "5:-",
    "missing `value`",
  ],
  [
    "an argument without JSON",
    examples("@example square_root(Infinity) => throws"),
    "examples",
    "5:-",
    "no NaN or Infinity",
  ],
  [
    "runs without @calls",
    examples("@example square_root(4) => runs"),
    "examples",
    "5:-",
    '"runs" is for functions with @calls only',
  ],
  [
    "a call that does not end",
    examples("@example square_root(4 => 2"),
    "examples",
    "5:-",
    "not => 2",
  ],
  [
    "a text that does not end",
    examples('@example square_root("4) => 2'),
    "examples",
    "5:-",
    'not "4) => 2',
  ],
  [
    "more examples than there is time for",
    examples(...Array.from({ length: 31 }, (_, at) => `@example square_root(${at * at}) => ${at}`)),
    "examples",
    "37:-",
    "31 examples; at most 30",
  ],
];

describe("A draft with", () => {
  it.each([...DOCS, ...NAMES, ...EXAMPLES])(
    "%s is refused at its place.",
    (_fault, reply, kind, place, said) => {
      const { problem, ...found } = refusal(reply);
      expect(found).toEqual({ kind, place });
      expect(problem).toContain(said);
      expect(problem).toMatch(/^.{1,600}$/);
    },
  );
});
