import { describe, expect, it } from "vitest";
import type { ProgramIssue } from "../../../plans/language/program.js";
import { readProgram } from "../../../plans/language/readProgram.js";

function issuesOf(text: string, functions?: Map<string, string[]>): ProgramIssue[] {
  const read = readProgram(text, { functions });
  return "issues" in read ? read.issues : [];
}

/** Lines on the third line of a program, in which nothing else is wrong. */
function within(code: string): string {
  return `let x = 1, s = "a", list = [1];\nconst c = 1, o = { a: 1 };\n${code}\nreturn "";`;
}

describe("code outside the language", () => {
  it.each([
    ["class A {}", "plain objects"],
    ["x = class {};", "plain objects"],
    ["x = new Thing();", "new Date, Map, Set"],
    ["x = this.s;", "name the value"],
    ["function* all() { yield 1; }", "fill a list"],
    ["list.map(function* () { yield 1; });", "fill a list"],
    ["x = { get a() { return 1; } };", "write a function"],
    ["const y = 12345678901234567890;", "as a text"],
    ["const y = html`a`;", "without a tag"],
    ["namespace A { x = 1; }", "its lines"],
    ["c = 2;", "let"],
    ["const c = 2;", "another name"],
    ["break;", "no loop"],
    ["for (const i of list) { break outer; }", "called outer"],
    ["return;", "template string"],
    ["const [...y, z] = list;", "at the end"],
    ['x = look("width of the field", "How many metres?");', "a function has returned"],
    ["x = need();", "1 argument"],
    ["x = Math.random();", "no chance"],
    ["x = Promise.race(list);", "Promise.all"],
    ["x = list.map.call(list);", "call the function itself"],
    ["const it = list.values(); x = it.next();", "for (const item of list)"],
    ['console.log("%d", 1);', "template string"],
    ["x = s.shout();", "JavaScript"],
    ["x = eval('1');", "declared function"],
    ["x = new Function('return 1');", "plain objects"],
    ["x = await import('fs');", "imported"],
    ["x = require('fs').readFileSync;", "imported"],
    ["x = process.exit();", "write return, or stop"],
    ["x = f(1, 2);", "one object"],
    ["x = f(...list);", "one by one"],
    ["x = /(/;", "not a regular expression"],
    ["with (o) { x = a; }", "write"],
  ])("refuses %s with what to write instead", (code, instead) => {
    const [issue, ...others] = issuesOf(within(code));
    expect(others.filter(({ line }) => line !== 3)).toEqual([]);
    expect(issue).toMatchObject({ line: 3, kind: "language" });
    expect(issue?.problem).toContain(instead);
  });

  it.each([
    ["x = y;", "not defined"],
    ["x = lisst;", '"list"'],
    ["x = y + 1; const y = 2;", "before line 3"],
    ["y = 2;", "let y"],
    ["for (const i of list) {} x = i;", "not defined"],
    ["x = process.env;", "not defined"],
    ["if (x) { const y = 1; } x = y;", "not defined"],
  ])("tells of a name that is not there in %s", (code, said) => {
    const [issue] = issuesOf(within(code));
    expect(issue).toMatchObject({ line: 3, kind: "unknown" });
    expect(issue?.problem).toContain(said);
  });

  it.each([
    "function gcd(a, b) { return b ? gcd(b, a % b) : a; }\nreturn gcd(4, 6);",
    "const gcd = ({ a, b }) => a;\nreturn gcd({ a: 4, b: 6 });",
    "let gcd;\ngcd = async function ({ a }) { return a; };\nreturn gcd({ a: 4 });",
    "const Gcd = (args: { a: number; b: number }) => args.a;\nreturn Gcd({ a: 4, b: 6 });",
    "const math = { gcd({ a, b }) { return a; } };\nreturn math.gcd({ a: 4, b: 6 });",
    "const math = { gcd: async ({ a, b }) => a };\nreturn math.gcd({ a: 4, b: 6 });",
    "if (true) { const gcd = (a, b) => a; return gcd(4, 6); }\nreturn 1;",
  ])("tells of a listed function that a program writes instead of calling it: %s", (code) => {
    const [issue] = issuesOf(code, new Map([["gcd", ["a", "b"]]]));
    expect(issue?.problem).toContain("call it, do not write it: await gcd({ a, b })");
  });

  it.each([
    ["takes other arguments", "const Commit = (list) => list[0];\nreturn Commit([1]);"],
    [
      "calls it",
      "const commit = async ({ message }) => await git.commit({ message });\nreturn await commit({ message: 'x' });",
    ],
  ])("leaves a function of its own that has nearly the name of a listed one and %s", (_, code) => {
    const functions = new Map([["git.commit", ["message"]]]);
    expect(readProgram(code, { functions, groups: ["git"] })).toHaveProperty("program");
  });

  it("tells of a function that is used as a value, with its arguments", () => {
    const [issue] = issuesOf("return gcd;", new Map([["gcd", ["a", "b"]]]));
    expect(issue?.problem).toContain("gcd({ a, b })");
  });

  it.each(["const n = 1;", "for (const i of [1]) { return i; }", "true"])(
    "asks for an answer at the end of %s, which calls nothing",
    (code) => {
      const issues = issuesOf(code);
      expect(issues).toHaveLength(1);
      expect(issues[0]?.problem).toContain("end with return");
    },
  );

  it.each([
    "const n = f();",
    "const n = f();\nif (n) return n;",
    "close({ id: 1 });",
    "try { return f(); } catch { close(); }",
  ])("takes %s, which calls a function, without an answer", (code) => {
    expect(issuesOf(code)).toEqual([]);
  });

  it.each([
    ["const x = gcd(252, 198;\nreturn x;", 1],
    ["const x = 1;\nreturn {", 2],
    ["const x = 1;\n}\nreturn x;", 3],
    ["I cannot do that with these functions.", 1],
  ])("tells where %s is not code", (code, line) => {
    const [issue] = issuesOf(code);
    expect(issue?.kind).toBe("syntax");
    expect(issue?.line ?? line).toBe(line);
  });

  it.each(["", " \n ", "```ts\n```", "// nothing to do"])("finds no program in %j", (text) => {
    expect(issuesOf(text)).toHaveLength(1);
  });

  it("lists all issues at once, but at most ten", () => {
    const code = "class A {}\nb.c = 1;\nclass D {}\nreturn e;";
    expect(issuesOf(code).map(({ line }) => line)).toEqual([1, 2, 3, 4]);
    expect(issuesOf(`${"class A {}\n".repeat(30)}return "";`)).toHaveLength(10);
  });
});
