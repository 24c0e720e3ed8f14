import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { InvalidSetting } from "../../../common/errors.js";
import { readFunctions } from "../../../tools/sources/functions/functions.js";
import { fixture, readText, withFiles } from "./support.js";

/** A parameter's type that has no JSON Schema, and what the problem says about it. */
const NO_SCHEMA: [type: string, said: string][] = [
  ["bigint", '"value" is of type bigint, which has no JSON Schema; use a type of plain data'],
  ["Function", "use a type of plain data"],
  ["Promise<string>", "use a type of plain data"],
  ["Thing", "use a plain object type in place of a class"],
  ["Absent", "the type was not found"],
  ["undefined | void", "nothing can be passed to it"],
  ["string | bigint", '"value" is of type bigint'],
  ["{ inner: { when: bigint }[] }[]", '"value[].inner[].when" is of type bigint'],
  ["[...string[], number]", "put the rest of a tuple at its end"],
  ["Endless<string>", "it is nested too deep"],
];

const HELPERS = `class Thing { value = 1; }
interface Endless<T> { next: Endless<T[]>; }
`;

describe("A type without a JSON Schema", () => {
  it.each(NO_SCHEMA)(
    "as %s is a problem of its function, at the line of the parameter.",
    async (type, said) => {
      const text = `${HELPERS}/** Takes it. */
export function take(
  first: string,
  value: ${type},
): void { void first; void value; }
/** Works. */
export function works(): number { return 1; }`;
      const { tools, problems } = await readText(text);
      expect(tools.map(({ name }) => name)).toEqual(["works"]);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatchObject({ line: 6, exportName: "take" });
      expect(problems[0]?.problem).toContain('function "take": ');
      expect(problems[0]?.problem).toContain(said);
    },
  );
});

/** A text, the line of its only problem and what the problem says. */
const PROBLEMS: [title: string, text: string, line: number, said: string][] = [
  [
    "A function without a description",
    `\nexport function bare(a: number): number { return a; }`,
    2,
    'function "bare" has no description; add a TSDoc comment above it',
  ],
  [
    "An unknown effect",
    `/** Acts.\n * @effects none\n */\nexport function act(): void {}`,
    2,
    'function "act": @effects must be "read" or "write", got "none"',
  ],
  [
    "A cost that is not a number",
    `/** Acts.\n *\n * @cost cheap\n */\nexport function act(): void {}`,
    3,
    '@cost must be a number of budget units, 0 or more, got "cheap"',
  ],
  [
    "A tag that is given twice",
    `/** Acts.\n * @cost 1\n * @cost 2 */\nexport function act(): void {}`,
    3,
    "@cost is given twice",
  ],
  [
    "A default export without a name",
    `/** Acts. */\nexport default (a: number): number => a;`,
    2,
    "the default export has no name; name the function or add a @name tag",
  ],
  [
    "A destructured parameter without a name",
    `/** Acts. */\nexport function act(a: string, { b }: { b: string }): string { return a + b; }`,
    2,
    "parameter 2 is destructured and has no name; name it with a @param tag",
  ],
  [
    "A context that is not the last parameter",
    `interface ToolContext { callId: string }\n/** Acts. */\nexport function act(ctx: ToolContext, a: string): string { return ctx.callId + a; }`,
    3,
    "parameter 1 is a ToolContext, which must be the last one; move it to the end",
  ],
  [
    "A second tool of one name",
    `/** Acts. */\nexport function act(): void {}\n/** Acts too.\n * @name act */\nexport function other(): void {}`,
    5,
    'a tool named "act" is already exported as "act"; rename one of them',
  ],
  [
    "An import that cannot be found",
    `\nimport { gone } from "./gone.js";\n/** Acts. */\nexport function act(): unknown { return gone; }`,
    2,
    'the import "./gone.js" cannot be found; fix the path or install the package',
  ],
];

describe("A problem", () => {
  it.each(PROBLEMS)("%s is reported with its line.", async (_title, text, line, said) => {
    const { problems } = await readText(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.line).toBe(line);
    expect(problems[0]?.problem).toContain(said);
    expect(problems[0]?.problem).not.toContain("\n");
  });

  it("of a re-exported function names the file that declares it.", async () => {
    const files = {
      "index.ts": `export * from "./inner/act.js";`,
      "inner/act.ts": `\n\nexport function act(): void {}`,
    };
    await withFiles(files, (folder) => {
      const { problems } = readFunctions({ file: join(folder, "index.ts") });
      expect(problems).toEqual([
        {
          file: join(folder, "inner/act.ts"),
          line: 3,
          exportName: "act",
          problem: 'function "act" has no description; add a TSDoc comment above it',
        },
      ]);
    });
  });

  it("of the whole file is a syntax error, which leaves no tool.", async () => {
    const text = `/** Works. */\nexport function works(): number { return 1; }\nexport function ( {`;
    const { tools, problems } = await readText(text);
    expect(tools).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ line: 3, exportName: "*" });
    expect(problems[0]?.problem).toMatch(/^syntax error: /);
  });

  it("is not reported for imports that only types need, for Node's modules or for type errors.", async () => {
    const text = `import type { A } from "./absent.js";
      import { type B } from "./absent.js";
      import { readFileSync } from "node:fs";
      const wrong: string = 5;
      /** Works. */
      export function works(): number { return readFileSync("x").length + wrong.length; }
      export type C = A | B;`;
    const { tools, problems } = await readText(text);
    expect(problems).toEqual([]);
    expect(tools.map(({ name }) => name)).toEqual(["works"]);
  });
});

describe("A file that is not a source", () => {
  it.each([
    ["absent.ts", "the file does not exist"],
    ["reexports", "it is a folder"],
    ["../library", "it is a folder"],
  ])("as %s is refused: %s.", (name, said) => {
    const read = (): unknown => readFunctions({ file: fixture(name) });
    expect(read).toThrow(InvalidSetting);
    expect(read).toThrow(said);
  });

  it.each(["tools.json", "tools.d.ts", "tools.py"])("as %s is refused.", async (name) => {
    await expect(readText("", name)).rejects.toThrow("it is not a TypeScript or JavaScript file");
  });
});
