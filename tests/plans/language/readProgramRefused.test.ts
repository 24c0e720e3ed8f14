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
    ["while (x) { x = 0; }", "for (const item of list)"],
    ["do { x = 0; } while (x);", "for (const item of list)"],
    ["for (let i = 0; i < 3; i++) x = i;", "Array.from({ length: n }"],
    ["for (x of list) s = x;", "for (const item of list)"],
    ["outer: for (const i of list) { x = i; }", "without a label"],
    ["const f = (i) => i;", "where it is used"],
    ["list.filter(isOld);", "(item) => …"],
    ["class A {}", "plain objects"],
    ["x = new Map();", "plain objects and lists"],
    ["x = new Date(2026, 1, 1);", "addDays"],
    ["x = /a/;", 'includes("…")'],
    ["x = s.match(s);", 'text.includes("…")'],
    ["delete o.a;", "...rest"],
    ["o.a = 1;", "{ ...x, key: value }"],
    ["o[s] = 1;", "groupBy"],
    ["o.a.push(1);", "groupBy"],
    ["o.a.sort();", "give the new list a name"],
    ["[x, s] = list;", "to a name alone"],
    ["const y = (x = 2);", "on a line of its own"],
    ["const y = x ?? stop(s);", "if (…) stop"],
    ["c = 2;", "let"],
    ["const y = (x, 1);", "on a line of its own"],
    ["const y = x | 0;", "Math.trunc"],
    ["const y = x instanceof Date;", "typeof"],
    ["const y = 12345678901234567890;", "as a text"],
    ["const y = f?.();", "without ?."],
    ["list.map((i = 1) => i);", "plain names"],
    ["const [...[y]] = list;", "one name at the end"],
    ["const { [s]: y } = o;", "name of the field"],
    ["try { x = 1; } finally { x = 2; }", "behind the try"],
    ["try { x = 1; } catch ({ message }) { x = 2; }", "catch (error)"],
    ["break;", "no loop"],
    ["return;", "template string"],
    ["const c = 2;", "another name"],
    ["list.map((i) => list.forEach((j) => j));", "for (const item of list)"],
    ["x = list.pop();", "slice(0, -1)"],
    ["x = f().then((v) => v);", "await"],
    ["x = round();", "1 to 2 arguments"],
    ['x = look("width of the field", "How many metres?");', "a function has returned"],
    ["x = round(...list);", "one by one"],
    ["x = Math.random();", "no chance"],
    ["x = Object.assign({}, o);", "...one"],
    ["x = Promise.allSettled(list);", "try"],
    ["x = eval('1');", "declared function"],
    ["x = process.exit();", "declared function"],
    ["x = f(1, 2);", "one object"],
    ["x = f(...list);", "one by one"],
    ["x = list[0]();", "by their names"],
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

  it("tells of a function that is used as a value, with its arguments", () => {
    const [issue] = issuesOf("return gcd;", new Map([["gcd", ["a", "b"]]]));
    expect(issue?.problem).toContain("gcd({ a, b })");
  });

  it.each([
    "const n = 1;",
    "for (const i of [1]) { return i; }",
    "const n = 1;\nif (n) console.log(n);",
    "true",
  ])("asks for an answer at the end of %s, which calls nothing", (code) => {
    const issues = issuesOf(code);
    expect(issues).toHaveLength(1);
    expect(issues[0]?.problem).toContain("end with return");
  });

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
    const code = "while (a) {}\nb.c = 1;\nclass D {}\nreturn e;";
    expect(issuesOf(code).map(({ line }) => line)).toEqual([1, 2, 3, 4]);
    expect(issuesOf(`${"class A {}\n".repeat(30)}return "";`)).toHaveLength(10);
  });
});
