import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readProgram } from "../../../plans/language/readProgram.js";

const nested = (open: string, inner: string, close: string, levels: number): string =>
  open.repeat(levels) + inner + close.repeat(levels);

/** Texts that exhaust, confuse or deceive whoever reads code. */
const HOSTILE: Record<string, string> = {
  "open brackets": `return ${"(".repeat(10_000)}`,
  brackets: `return ${nested("(", "1", ")", 9000)}`,
  "lists in lists": `return ${nested("[", "", "]", 9000)}`,
  "blocks in blocks": nested("{", "", "}", 9000),
  "a long sum": `return 1${"+1".repeat(9000)}`,
  negations: `return ${"!".repeat(15_000)}1`,
  "choices in choices": `return ${"a?b:".repeat(4500)}1`,
  "a long path": `return a${".b".repeat(9000)}`,
  "calls of calls": `return a${"()".repeat(9000)}`,
  "functions in functions": `return ${"a=>".repeat(6000)}1`,
  "wrappers in wrappers": nested("(async()=>{", "return 1", "})()", 12),
  "async arguments": `return ${nested("async (a=", "1", ")", 40)}`,
  "async in escapes": `return ${nested(String.raw`\u0061sync (a=`, "1", ")", 40)}`,
  "templates in templates": `return ${nested("`${", "1", "}`", 3500)}`,
  "patterns in patterns": `const ${nested("[", "a", "]", 9000)} = 1; return 1;`,
  "loops in loops": `${"for(const a of [1])".repeat(1000)};return 1`,
  "types in types": `let x: ${nested("{a:", "b", "}", 4000)} = 1; return x;`,
  "ten thousand lines": "const a = 1;\n".repeat(10_000),
  "a megabyte": "x".repeat(1 << 20),
  "a long text": `return "${"x".repeat(100_000)}"`,
  "a long number": `return ${"9".repeat(19_000)}`,
  "an open template": "return `a ${b",
  nul: "return \0",
  "half a character": "return \uD800",
  "escaped eval": String.raw`return \u0065val("1")`,
  "eval in brackets": "return (0, eval)('1')",
  "a constructor": "return [].constructor.constructor('return 1')()",
  "a constructor by key": "return []['constructor']('x')",
  "an escaped constructor": String.raw`return [].c\u006fnstructor`,
  "a prototype": "return Object.prototype",
  __proto__: "return ({}).__proto__",
  "__proto__ as a key": "return { __proto__: null }",
  "__proto__ as a text key": 'return { "__proto__": null }',
  "__proto__ as a computed key": 'return { ["__proto__"]: null }',
  "__proto__ in a pattern": "const { __proto__: p } = {}; return p",
  "a getter": "return { get a() { return 1 } }",
  call: "return [].map.call([], (x) => x)",
  import: "return await import('fs')",
  "a symbol": "return Symbol.iterator",
  arguments: "return arguments[0]",
  this: "return this",
  "a generator": "return [1].map(function* () { yield 1 })",
  "a hidden class": "return 1 // \u2028class A {}",
  "the end of what is around": "return 1 } while (true) { }",
  prose: "I would call gcd and then return the result, but I cannot.",
};

describe("a hostile reply", () => {
  it.each(Object.entries(HOSTILE))("gives issues for %s", (_, text) => {
    const read = readProgram(text);
    expect(read).toHaveProperty("issues");
    const { issues } = read as Extract<typeof read, { issues: unknown }>;
    expect(issues.length).toBeGreaterThan(0);
    expect(issues.length).toBeLessThanOrEqual(10);
    expect(Math.max(...issues.map(({ problem }) => problem.length))).toBeLessThan(300);
  });

  it("gives a program or issues, for any text", () => {
    const pieces = fc.constantFrom(
      ..."const let x y = ( ) { } [ ] => , ; : ? . ?. ?? ... ` ${ \" ' 1 + - ++ += ! < > in of for if else try catch return throw await async function map filter push forEach gcd sum today console log new Date Set Promise all // /* */ ```ts ``` __proto__ \n".split(
        " ",
      ),
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(pieces, { maxLength: 40 }).map((words) => words.join(" ")),
    );
    fc.assert(
      fc.property(text, (reply) => {
        const read = readProgram(reply);
        expect("program" in read || read.issues.length > 0).toBe(true);
      }),
      { numRuns: 700, seed: 7 },
    );
  });
});
