import { assert, boolean, constantFrom, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { extractCode } from "../../../../tools/sources/made/extract.js";
import { SQUARE_ROOT } from "./support.js";

const FENCED_COMMENT = `/**
 * Doubles.
 * @example
 * \`\`\`ts
 * twice(2) // => 4
 * \`\`\`
 */
function twice(value: number): number {
  return value * 2;
}`;

const CODES = [
  SQUARE_ROOT,
  FENCED_COMMENT,
  "export function one(): number {\n  return 1;\n}",
  "export default async function later(): Promise<number> {\n\n  return 1;\n}",
  'type Kind = "a" | "b";\n\n/** Kind. */\nexport function kind(): Kind {\n\treturn "a";\n}',
  "interface Point {\n  x: number;\n}\n/** X. */\nfunction x_of(point: Point): number {\n  return point.x;\n}",
  'import { readFile } from "node:fs";\nexport function read(): string {\n  return `a\n  b`;\n}',
];

const PROSE = [
  "",
  "Here is the tool that you asked for:",
  "Sure! It uses the function Math.sqrt, with a check.",
  "The code:\n\n- it is short\n- it is pure",
  "I hope this helps. Call it with one number.",
];

const fence = (mark: string, language: string) => (code: string) =>
  `${mark}${language}\n${code}\n${mark}`;

const indented = (code: string, indent: string): string => code.replaceAll(/^(?=.)/gm, indent);

const WRAPPERS: [name: string, wrap: (code: string) => string][] = [
  ["nothing", (code) => code],
  ["a fence", fence("```", "")],
  ["a fence with ts", fence("```", "ts")],
  ["a fence with typescript and a title", fence("```", 'typescript title="tool.ts"')],
  ["a fence with py", fence("```", "py")],
  ["a longer fence", fence("`````", "js")],
  ["tildes", fence("~~~", "ts")],
  ["a fence that is cut short", (code) => `\`\`\`ts\n${code}`],
  ["a numbered item", (code) => `1. \`\`\`ts\n${indented(code, "   ")}\n   \`\`\``],
  ["a list item", (code) => `- Code:\n\n  \`\`\`\n${indented(code, "  ")}\n  \`\`\``],
  ["JSON", (code) => JSON.stringify({ code })],
  [
    "JSON in a fence",
    (code) => `\`\`\`json\n${JSON.stringify({ name: "x", code }, null, 2)}\n\`\`\``,
  ],
  ["a fence in JSON", (code) => JSON.stringify({ code: `\`\`\`ts\n${code}\n\`\`\`` })],
  ["blank lines", (code) => `\n\n${code}\n\n`],
];

describe("Code is taken", () => {
  it("unchanged out of any wrapping, with prose around it and any line ends.", () => {
    const prose = constantFrom(...PROSE);
    assert(
      property(
        constantFrom(...CODES),
        constantFrom(...WRAPPERS),
        prose,
        prose,
        boolean(),
        boolean(),
        (code, [name, wrap], before, after, windows, mark) => {
          // JSON is the whole reply, and nothing follows a truncated block.
          const alone = name.endsWith("JSON") || name.includes("cut short");
          const around = alone ? wrap(code) : `${before}\n\n${wrap(code)}\n\n${after}`;
          const reply = windows ? around.replaceAll("\n", "\r\n") : around;
          expect(extractCode(mark ? `\uFEFF${reply}` : reply)).toEqual({ code });
        },
      ),
      { numRuns: 400 },
    );
  });

  it("from the block with the function, not from those with usage or output.", () => {
    const usage = "```ts\nconst root = square_root(16);\nconst twice = (a: number) => a * 2;\n```";
    const reply = `\`\`\`bash\nnpm test\n\`\`\`\n${fence("```", "ts")(SQUARE_ROOT)}\n${usage}\n\`\`\`\n4\n\`\`\``;
    expect(extractCode(reply)).toEqual({ code: SQUARE_ROOT });
  });

  it("with the line of the second function when two blocks contain one each.", () => {
    const reply = `${fence("```", "ts")("function a() {}")}\n${fence("```", "ts")("function b() {}")}`;
    expect(extractCode(reply)).toEqual({
      code: "function a() {}\n\nfunction b() {}",
      secondFunctionAt: 3,
    });
  });

  it("without usage that follows it in prose.", () => {
    const reply = `Code:\n${SQUARE_ROOT}\n\nsquare_root(16); gives 4.\nfunction calls are cheap.`;
    expect(extractCode(reply)).toEqual({ code: SQUARE_ROOT });
  });

  it("whole when a superfluous bracket ends the function early.", () => {
    const code = "function f(a: number): number {\n  if (a) { return 1; } }\n  return 2;\n}";
    expect(extractCode(`See:\n${code}\nThat is all.`)).toEqual({ code });
  });

  it.each([
    "",
    "  \n ",
    "I cannot write that.",
    "The function would need a network.",
    "{}",
    '{ "code": 5 }',
    "```bash\nls\n```",
    "```",
    "function of time",
  ])("not from %j.", (reply) => {
    expect(extractCode(reply)).toEqual({ code: "" });
  });

  it("from any reply of a megabyte.", () => {
    const long = ["x", "` ", "\n", "```\n", "{", "/**", "function a(", "- ", "const a = 1;\n"];
    for (const part of long) {
      const reply = part.repeat(1_000_000 / part.length);
      expect(extractCode(reply).code.length).toBeLessThanOrEqual(reply.length);
    }
  });
});
