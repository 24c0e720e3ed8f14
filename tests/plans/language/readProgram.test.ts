import { describe, expect, it } from "vitest";
import type { Program } from "../../../plans/language/program.js";
import { readProgram } from "../../../plans/language/readProgram.js";
import { printed } from "./printed.js";

/** What is on offer. */
const functions = new Map([
  ["gcd", ["a", "b"]],
  ["find_user", ["name"]],
  ["list_work", ["owner", "stage"]],
  ["close_work", ["id"]],
  ["who_am_i", []],
]);

function programOf(text: string, options: { functions?: Map<string, string[]> } = {}): Program {
  const read = readProgram(text, options);
  expect(read).toHaveProperty("program");
  if ("issues" in read) throw new Error("it was refused");
  return read.program;
}

/** What is understood of lines that come before the end. */
function understood(lines: string): string {
  return printed(
    programOf(`let x = 1, s = "a", list = [1]; const o = { a: 1 };\n${lines}\nreturn "";`),
  )
    .replace('let x = 1; let s = "a"; let list = [1]; let o = {a: 1}; ', "")
    .replace(/ return "";$/, "");
}

describe("a program", () => {
  it.each([
    ["const y = 1, z = 2;", "let y = 1; let z = 2;"],
    ["let y;", "let y = undefined;"],
    ["const { a, b: { c = 2 }, ...d } = o;", "let {a: a, b: {c: c = 2}, ...d} = o;"],
    ["const [a, , b = 3, ...c] = list;", "let [a, , b = 3, ...c] = list;"],
    ["x = 2;", "x = 2;"],
    [
      "x += 2; x -= 1; x *= 2; x /= 2; x %= 2; x **= 2;",
      "x = (x + 2); x = (x - 1); x = (x * 2); x = (x / 2); x = (x % 2); x = (x ** 2);",
    ],
    ["x ??= 2; x ||= 2; x &&= 2;", "x = (x ?? 2); x = (x || 2); x = (x && 2);"],
    ["x++; --x;", "x = (x + 1); x = (x - 1);"],
    ["list.push(x, ...list);", "list = [...list, x, ...list];"],
    ["const names = []; names.push(x);", "let names = []; names = [...names, x];"],
    ["list.unshift(x);", "list = [x, ...list];"],
    ["const t = `${x} of ${s.length}`;", "let t = `${x} of ${s.length}`;"],
    ["const t = `plain`;", 'let t = "plain";'],
    [
      "const n = -x + +s * 2 ** 3 - 7 % 2 / 1;",
      "let n = (((- x) + ((+ s) * (2 ** 3))) - ((7 % 2) / 1));",
    ],
    [
      "const b = x > 1 && x <= 2 || !(s === 'a');",
      'let b = (((x > 1) && (x <= 2)) || (! (s === "a")));',
    ],
    [
      "const b = x == null || x != 1 || x !== 2;",
      "let b = (((x == null) || (x != 1)) || (x !== 2));",
    ],
    ["const b = 'a' in o ? typeof x : x ?? 0;", 'let b = (("a" in o) ? (typeof x) : (x ?? 0));'],
    ["const y = o.a?.b.c[0]?.d;", "let y = o.a?.b?.c?.[0]?.d;"],
    ["const y = o['a b'][x];", "let y = o.a b[x];"],
    [
      "const y = { a: 1, 'b c': 2, 3: x, [s]: 4, s, ...o };",
      "let y = {a: 1, b c: 2, 3: x, [s]: 4, s: s, ...o};",
    ],
    [
      "const y = [1, ...list, [true, false, null, undefined]];",
      "let y = [1, ...list, [true, false, null, undefined]];",
    ],
    [
      "if (x > 1) x = 2; else if (x) { x = 3; }",
      "if (x > 1) { x = 2; } else { if x { x = 3; } else {} }",
    ],
    [
      "for (const i of list) { if (i > 1) continue; break; }",
      "each i of list { if (i > 1) { continue; } else {} break; }",
    ],
    [
      "for (const { id, tags: [first] } of list) x = id;",
      "each {id: id, tags: [first]} of list { x = id; }",
    ],
    [
      "for (const [i, one] of list.entries()) x = one;",
      "each [i, one] of list.map((item, index) => [index, item]) { x = one; }",
    ],
    [
      "for (const [k, v] of Object.entries(o)) x = v;",
      "each [k, v] of Object.entries<o> { x = v; }",
    ],
    ["{ const x = 2; }", "{ let x = 2; }"],
    [
      "try { f({ x }); } catch (e) { s = e.message; }",
      "try { #0 f({x: x}); } catch e { s = e.message; }",
    ],
    ["try { f(); } catch { x = 0; }", "try { #0 f(); } catch - { x = 0; }"],
    ["if (x) throw new Error(`no ${x}`);", "if x { throw `no ${x}`; } else {}"],
    ["try { f(); } catch (e) { throw e; }", "try { #0 f(); } catch e { throw e.message; }"],
    [
      "try { f(); } catch (e) { s = e instanceof Error ? e.message : ''; }",
      'try { #0 f(); } catch e { s = (true ? e.message : ""); }',
    ],
    [
      "const y = list.filter((i) => i > x).map(({ a }, at) => ({ a, at }));",
      "let y = list.filter((i) => (i > x)).map(({a: a}, at) => {a: a, at: at});",
    ],
    [
      "const y = list.map((i) => { const d = i * 2; return d; });",
      "let y = list.map((i) => { let d = (i * 2); return d; });",
    ],
    [
      "const y = list.reduce((sum, i) => sum + i, 0);",
      "let y = list.reduce((sum, i) => (sum + i), 0);",
    ],
    ["const y = list.map(function (i) { return i; });", "let y = list.map((i) => { return i; });"],
    [
      "const y = list.map(Number).filter(Boolean).map(Math.round);",
      "let y = list.map((value) => Number<value>).filter((value) => Boolean<value>).map((value) => Math.round<value>);",
    ],
    ["const y = list?.filter((i) => i)?.length;", "let y = list?.filter((i) => i)?.length;"],
    ["const y = Math.max(...list, 1) + Math.PI;", "let y = (Math.max<[...list, 1]> + Math.PI<>);"],
    ["const y = list.concat(...[list]);", "let y = list.concat([...[list]].flat());"],
    [
      "const y = [...new Set(list)].length + new Set(list).size;",
      "let y = ([...unique<list>].length + unique<list>.length);",
    ],
    ["const y = Array.from(new Set(list));", "let y = unique<list>;"],
    [
      "const y = Array.from({ length: 3 }, (_, i) => i + 1);",
      "let y = Array.from<{length: 3}, (_, i) => (i + 1)>;",
    ],
    [
      "const y = daysBetween(s, today) + sum(list) + round(x, 1);",
      "let y = ((daysBetween<s, today> + sum<list>) + round<x, 1>);",
    ],
    ["const y = groupBy(list, (i) => i.a);", "let y = groupBy<list, (i) => i.a>;"],
    [
      "const y = new Date(s).getTime() - Date.now() + new Date().getUTCDay();",
      "let y = ((date<s>.getTime() - Date.now<>) + date<>.getDay());",
    ],
    [
      "const y = Number.isInteger(x) ? JSON.stringify(o, null, 2) : String(x);",
      "let y = (Number.isInteger<x> ? JSON.stringify<o, null, 2> : String<x>);",
    ],
    ["const y = [NaN, Infinity, 1_000, 0x10, 1e3];", "let y = [NaN, Infinity, 1000, 16, 1000];"],
    [
      "const y = x.toFixed(2) + s.padStart(3, '0').replaceAll('0', 'o');",
      'let y = (x.toFixed(2) + s.padStart(3, "0").replaceAll("0", "o"));',
    ],
    ["const y = await Promise.all([f({ a: 1 }), g()]);", "let y = all [#0 f({a: 1}), #1 g()];"],
    [
      "await Promise.all(list.map(async (id) => { await f({ id }); }));",
      "all list.map((id) => { #0 f({id: id}); });",
    ],
    ["const y = f({ a: g({ b: h() }) });", "let y = #0 f({a: #1 g({b: #2 h()})});"],
    ["const args = { a: 1 }; const y = f(args);", "let args = {a: 1}; let y = #0 f(args);"],
    [
      "const y = await look(list, 'which is best?'); await need('books a room');",
      'let y = #0 look(list, "which is best?"); #1 need("books a room");',
    ],
  ])("understands %s", (code, meant) => {
    expect(understood(code)).toBe(meant);
  });

  it("names its calls in text order, with the arguments given", () => {
    const { calls } = programOf(
      'const a = f({ x: 1, "y z": 2 });\nfor (const i of a) {\n  g({ i, of: h() });\n}\nconst given = { k: 1 };\nk(given);\nreturn `${a}`;',
    );
    expect(calls).toEqual([
      { site: 0, name: "f", given: ["x", "y z"], line: 1 },
      { site: 1, name: "g", given: ["i", "of"], line: 3 },
      { site: 2, name: "h", given: [], line: 3 },
      { site: 3, name: "k", given: ["k"], line: 6 },
    ]);
  });

  it("means the function if a name is called, even if a constant has that name", () => {
    const code =
      "const gcd = await gcd({ a: 252, b: 198 });\nconst more = await gcd({ a: gcd, b: 2 });\nreturn gcd;";
    expect(printed(programOf(code))).toBe(
      "let gcd = #0 gcd({a: 252, b: 198}); let more = #1 gcd({a: gcd, b: 2}); return gcd;",
    );
  });

  it("means the tool that shares a helper's name if it gets an object", () => {
    const code = "const sum = sum({ numbers: [1, 2] });\nconst all = [1, sum];\nreturn sum(all);";
    expect(printed(programOf(code))).toBe(
      "let sum = #0 sum({numbers: [1, 2]}); let all = [1, sum]; return sum<all>;",
    );
  });

  it("lets names of an inner block hide those around it", () => {
    const code =
      'const today = "x"; const l = [1].map((sum) => sum); for (const l of today) { const today = l; l.at(today); } return today;';
    expect(printed(programOf(code))).toContain(
      "each l of today { let today = l; l.at(today); } return today;",
    );
  });
});

describe("a function of a group", () => {
  const git = new Map([
    ["git.log", ["count"]],
    ["git.find", ["name"]],
  ]);
  const called = (text: string, groups: string[] = []) => {
    const read = readProgram(text, { functions: git, groups });
    return "issues" in read ? read.issues : read.program.calls.map(({ name }) => name);
  };

  it.each([
    ["with arguments by name", "return await git.log({ count: 3 });", ["git.log"]],
    ["with arguments in order", "return await git.log(3);", ["git.log"]],
    ["into a value of the group's name", "const git = await git.log({}); return git;", ["git.log"]],
    ["beside a method of such a value", "const git = [1]; return git.find((n) => n > 0);", []],
  ])("is called by its full name, %s", (_, text, names) => {
    expect(called(text)).toEqual(names);
  });

  it("may be one that is not offered, if its group is known", () => {
    const text = "return await gh.merge({ id: 1 });";
    expect(called(text, ["gh"])).toEqual(["gh.merge"]);
    expect(called(text)[0]).toMatchObject({ problem: expect.stringContaining("gh") });
  });
});

describe("what is tolerated", () => {
  const plain = printed(programOf("const n = gcd({ a: 1, b: 2 });\nreturn `It is ${n}.`;"));
  const lines = "const n = await gcd({ a: 1, b: 2 });\nreturn `It is ${n}.`;";

  it.each([
    ["a missing await", "const n = gcd({ a: 1, b: 2 });\nreturn `It is ${n}.`;"],
    [
      "a needless await",
      "const n = await (await gcd({ a: await 1, b: 2 }));\nreturn await `It is ${await n}.`;",
    ],
    ["a fence", `\`\`\`ts\n${lines}\n\`\`\``],
    ["an unclosed fence", `Sure.\n\`\`\`typescript\n${lines}`],
    ["prose around a fence", `Here it is:\n\n\`\`\`\n${lines}\n\`\`\`\nIt calls gcd.`],
    [
      "output shown after the code",
      `\`\`\`ts\n${lines}\n\`\`\`\nOutput:\n\`\`\`\nIt is 1.\n\`\`\``,
    ],
    ["an earlier try", `\`\`\`ts\nwhile (true) {}\n\`\`\`\nBetter:\n\`\`\`ts\n${lines}\n\`\`\``],
    [
      "code in two fences",
      "First:\n```ts\nconst n = gcd({ a: 1, b: 2 });\n```\nThen:\n```ts\nreturn `It is ${n}.`;\n```",
    ],
    [
      "prose without a fence",
      `Here is the program that you want:\n\n${lines}\n\nIt calls the function once.`,
    ],
    [
      "types and casts",
      "type N = number;\ninterface R { a: N }\nconst n: N = (gcd<N>({ a: 1 as N, b: <N>2 } satisfies object) as unknown as N)!;\nreturn `It is ${n}.` as string;",
    ],
    [
      "declarations copied from the prompt",
      `declare function gcd(args: { a: number; b: number }): Promise<number>;\n${lines}`,
    ],
    [
      "comments and missing semicolons",
      "// first\nconst n = gcd({ a: 1, /* and */ b: 2 }) // one\nreturn `It is ${n}.` // end",
    ],
    ["export", `export ${lines}`],
    ["a function around it", `async function main(): Promise<string> {\n${lines}\n}\nmain();`],
    [
      "a function that shows its value",
      `async function main() {\n${lines}\n}\n\nmain().then(console.log).catch(console.error);`,
    ],
    ["a function that nobody calls", `export default async function () {\n${lines}\n}`],
    [
      "a function as a constant",
      `const run = async () => {\n${lines}\n};\nconsole.log(await run());`,
    ],
    ["a function called in its place", `(async () => {\n${lines}\n})();`],
    ["a function called and returned", `return (async function () {\n${lines}\n})();`],
    [
      "a function in a function",
      `async function main() { return (async () => {\n${lines}\n})(); }\nawait main();`,
    ],
    ["a log at the end", "const n = gcd({ a: 1, b: 2 });\nconsole.log(`It is ${n}.`);"],
    [
      "other logs",
      "console.log('start');\nconst n = gcd({ a: 1, b: 2 });\nconsole.log('n', n);\nreturn `It is ${n}.`;",
    ],
    ["an answer without return", "const n = gcd({ a: 1, b: 2 });\n`It is ${n}.`"],
    ["var", "var n = gcd({ a: 1, b: 2 });\nreturn `It is ${n}.`;"],
  ])("is %s", (_, text) => {
    expect(printed(programOf(text))).toBe(plain);
  });

  it("is a log at the end of each branch", () => {
    const code =
      'const n = gcd({});\nif (n > 1) { console.log("many", n); } else console.log("none");';
    expect(printed(programOf(code))).toBe(
      'let n = #0 gcd({}); if (n > 1) { return `${"many"} ${n}`; } else { return "none"; }',
    );
  });

  it("keeps what a log calls", () => {
    const code = 'console.log(await close_work({ id: 1 }));\nreturn "done";';
    expect(printed(programOf(code))).toBe('#0 close_work({id: 1}); return "done";');
  });

  it("keeps the code before the call of a wrapping function", () => {
    const code = "const most = 3;\nasync function main() {\n  return most;\n}\nmain();";
    expect(programOf(code).code).toBe("const most = 3;\n\n  return most;");
  });

  it("uses an earlier fence if the last one does nothing", () => {
    const text = "First:\n```ts\nclose_work({ id: 1 });\n```\nThen:\n```ts\nreturn 'done';\n```";
    expect(printed(programOf(text))).toBe('#0 close_work({id: 1}); return "done";');
  });

  it("counts lines in the code alone", () => {
    const text = "Sure:\n\n```ts\n\n// close it\nclose_work({ id: 1 });\nreturn 'done';\n```";
    const { code, calls } = programOf(text);
    expect(code.split("\n")[(calls[0]?.line ?? 0) - 1]).toBe("close_work({ id: 1 });");
  });
});

describe("clear deviations from the language", () => {
  it.each([
    ["return gcd(252, 198);", "return #0 gcd({a: 252, b: 198});"],
    ['return find_user("Ann");', 'return #0 find_user({name: "Ann"});'],
    [
      "const ids = [1];\nfor (const id of ids) close_work(id);\nreturn '';",
      'let ids = [1]; each id of ids { #0 close_work({id: id}); } return "";',
    ],
    [
      "const l = [1];\nreturn Promise.all(l.map(close_work));",
      "let l = [1]; return all l.map((value) => #0 close_work({id: value}));",
    ],
    [
      "const l = [2, 1];\nl.sort((a, b) => a - b);\nreturn l;",
      "let l = [2, 1]; l = l.sort((a, b) => (a - b)); return l;",
    ],
    [
      "const l = [1];\nl.forEach((id) => { if (id > 1) return; close_work({ id }); });\nreturn '';",
      'let l = [1]; each id of l { if (id > 1) { continue; } else {} #0 close_work({id: id}); } return "";',
    ],
    [
      "const l = [1], n = [];\nl.forEach((id, at) => n.push(at));\nreturn n;",
      "let l = [1]; let n = []; each [id, at] of l.map((item, index) => [item, index]) { n = [...n, at]; } return n;",
    ],
    ["return today();", "return today;"],
  ])("reads %s", (code, meant) => {
    const read = readProgram(code, { functions });
    expect("program" in read && printed(read.program)).toBe(meant);
    expect("repairs" in read && read.repairs).toHaveLength(1);
  });

  it("leaves an argument that is known to be an object", () => {
    const code =
      "const l = [{ a: 1, b: 2 }];\nfor (const one of l) gcd(one);\nreturn l.map((one) => gcd(one));";
    const read = readProgram(code, { functions });
    expect("program" in read && printed(read.program)).toBe(
      "let l = [{a: 1, b: 2}]; each one of l { #0 gcd(one); } return l.map((one) => #1 gcd(one));",
    );
    expect(read).toMatchObject({ repairs: [] });
  });
});
