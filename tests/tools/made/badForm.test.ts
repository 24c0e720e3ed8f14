import { describe, expect, it } from "vitest";
import { type BadDraft, SQUARE_ROOT, body, but, refusal } from "./support.js";

const HEAD = "export function square_root(value: number): number {";

const NO_CODE: BadDraft[] = [
  ["no text", "", "no code", "-:-", "the reply holds no code"],
  ["prose alone", "I am sorry, I cannot do that.", "no code", "-:-", "block of TypeScript"],
  ["an empty block", "```ts\n```", "no code", "-:-", "no code"],
  ["another language's block", "```bash\nnpm test\n```", "no code", "-:-", "no code"],
];

const RULES: BadDraft[] = [
  ["an import", `import fs from "node:fs";\n${SQUARE_ROOT}`, "rules", "1:1", "no imports"],
  ["an import for its effect", `import "fs";\n${SQUARE_ROOT}`, "rules", "1:1", "no imports"],
  ["import =", `import fs = require("fs");\n${SQUARE_ROOT}`, "rules", "1:1", "no imports"],
  ["require", body('const fs = require("fs"); return value;'), "rules", "9:14", "no imports"],
  ["a dynamic import", body('void import("node:fs"); return value;'), "rules", "9:8", "no imports"],
  ["import.meta", body("void import.meta; return value;"), "rules", "9:8", "no imports"],
  [
    "an imported type",
    body('const a: import("fs").Stats | 1 = 1; return a as number;'),
    "rules",
    "9:12",
    "no imports",
  ],
  [
    "a re-export",
    `${SQUARE_ROOT}\nexport * from "node:fs";`,
    "rules",
    "12:1",
    "export nothing but",
  ],
  [
    "an export of a value",
    `${SQUARE_ROOT}\nexport default 5;`,
    "rules",
    "12:1",
    "export nothing but",
  ],
  [
    "two functions",
    `${SQUARE_ROOT}\nfunction helper(): void {}`,
    "rules",
    "12:1",
    "there are 2 functions; write exactly one",
  ],
  [
    "functions in two blocks",
    `\`\`\`ts\n${SQUARE_ROOT}\n\`\`\`\n\`\`\`ts\nfunction b() {}\n\`\`\``,
    "rules",
    "13:1",
    "in several blocks",
  ],
  [
    "overloads",
    but(HEAD, `export function square_root(value: number): number;\n${HEAD}`),
    "rules",
    "9:1",
    "declared 2 times; write it once",
  ],
  [
    "an arrow function",
    "```ts\nexport const twice = (value: number): number => value * 2;\n```",
    "rules",
    "1:1",
    "write it as a function declaration: export function twice(",
  ],
  [
    "a variable beside it",
    `\`\`\`\nconst EPS = 1e-9;\n${SQUARE_ROOT}\n\`\`\``,
    "rules",
    "1:1",
    "no variable beside the function; put it inside the function",
  ],
  [
    "a helping arrow function",
    `const half = (a: number) => a / 2;\n${SQUARE_ROOT}`,
    "rules",
    "1:1",
    "if it only helps, put it inside the function",
  ],
  ["a class", `class Root {}\n${SQUARE_ROOT}`, "rules", "1:1", "no class beside the function"],
  [
    "a class alone",
    "```ts\nexport class Root { root(a: number) { return a; } }\n```",
    "rules",
    "1:1",
    "no class",
  ],
  [
    "a statement",
    `\`\`\`ts\n${SQUARE_ROOT}\nconsole.log(square_root(4));\n\`\`\``,
    "rules",
    "12:1",
    "no statement beside the function",
  ],
  ["an expression alone", "```ts\n1 + 1\n```", "rules", "1:1", "no statement beside the function"],
  [
    "types alone",
    "```ts\ntype A = number;\n```",
    "rules",
    "1:1",
    "there is no function; write one",
  ],
  ["an enum", `enum Kind { A }\n${SQUARE_ROOT}`, "rules", "1:1", "no enum; use a union"],
  [
    "a namespace",
    `namespace Kind { export const a = 1; }\n${SQUARE_ROOT}`,
    "rules",
    "1:1",
    "no namespace",
  ],
  [
    "declare",
    `declare const process: { exit(): void };\n${SQUARE_ROOT}`,
    "rules",
    "1:1",
    "no `declare`",
  ],
  [
    "declare global",
    `declare global { var a: number; }\n${SQUARE_ROOT}`,
    "rules",
    "1:1",
    "no `declare`",
  ],
  ["a generator", but("function", "function*"), "rules", "8:16", "no generator; return a list"],
  ["no body", but(/\{\n[\s\S]*$/.exec(SQUARE_ROOT)?.[0] ?? "", ";"), "rules", "8:1", "no body"],
  [
    "a reference",
    `\`\`\`\n/// <reference types="node" />\n${SQUARE_ROOT}\n\`\`\``,
    "rules",
    "1:1",
    "the checks stay on",
  ],
  ["@ts-ignore", body("// @ts-ignore\n  return 'x';"), "rules", "9:6", "no @ts-ignore"],
  [
    "@ts-nocheck",
    `\`\`\`\n// @ts-nocheck\n${SQUARE_ROOT}\n\`\`\``,
    "rules",
    "1:4",
    "no @ts-nocheck",
  ],
  [
    "@ts-expect-error",
    body("/* @ts-expect-error it is */ return 'x';"),
    "rules",
    "9:6",
    "no @ts-expect-error",
  ],
  [
    "a conditional type",
    `type A<T> = T extends string ? 1 : 2;\n${SQUARE_ROOT}`,
    "rules",
    "1:13",
    "no conditional, mapped or template types",
  ],
  [
    "a mapped type",
    `type A = { [K in "a"]: 1 };\n${SQUARE_ROOT}`,
    "rules",
    "1:10",
    "no conditional, mapped",
  ],
  [
    "a template type",
    `type A = \`a\${string}\`;\n${SQUARE_ROOT}`,
    "rules",
    "1:10",
    "no conditional, mapped",
  ],
  [
    "Intl",
    body('return new Intl.NumberFormat("de").format(value).length;'),
    "rules",
    "9:14",
    "there is no Intl here",
  ],
  ["debugger", body("debugger; return value;"), "rules", "9:3", "no debugger"],
  [
    "loops seven deep",
    body(`${"for (;;) ".repeat(7)}{ return value; }`),
    "rules",
    "9:57",
    "loops are nested more than 6 deep",
  ],
  [
    "functions seven deep",
    body(`return ${"(() => ".repeat(6)}value${")()".repeat(6)};`),
    "rules",
    "9:46",
    "functions are nested more than 6 deep",
  ],
  [
    "lists two hundred deep",
    body(`return ${"[".repeat(200)}${"]".repeat(200)}.length;`),
    "rules",
    "9:205",
    "nested too deep",
  ],
  ["too much code", but("the number", "x".repeat(20_000)), "rules", "-:-", "at most 20000"],
  [
    "a megabyte of code",
    but("the number", "x ".repeat(500_000)),
    "rules",
    "-:-",
    "characters; at most 20000",
  ],
  [
    "callTool without @calls",
    body('void callTool("goto", {}); return value;'),
    "rules",
    "9:8",
    'the comment has no @calls; add "@calls goto"',
  ],
  [
    "callTool with a computed name",
    body("const name = 'x'; void callTool(name, {}); return value;"),
    "rules",
    "9:26",
    "the tool's id as a text",
  ],
  [
    "callTool as a value",
    body("const call = callTool; return value;"),
    "rules",
    "9:16",
    "callTool can only be called",
  ],
];

describe("A draft with", () => {
  it.each([...NO_CODE, ...RULES])(
    "%s is refused at its place.",
    (_fault, reply, kind, place, said) => {
      const { problem, ...found } = refusal(reply);
      expect(found).toEqual({ kind, place });
      expect(problem).toContain(said);
      expect(problem).toMatch(/^.{1,600}$/);
    },
  );
});
