import { describe, expect, it } from "vitest";
import { CONSTANTS } from "../../../plans/language/language.js";
import { answerOf, visit } from "./programRuns.js";

it("knows the constants of the language", () => {
  for (const [name, value] of Object.entries(CONSTANTS)) {
    expect(visit(`return ${name}`).end?.value).toBe(value);
  }
});

describe("values are those of JavaScript", () => {
  it.each<[string, unknown]>([
    ["1 + 2 * 3 ** 2 % 5", 4],
    ['"a" + 1 + "b"', "a1b"],
    ["('a' + true).length", 5],
    ["1 < 2 && 'b' > 'a'", true],
    ["null === undefined", false],
    ["'1' == 1", true],
    ["null ?? 1", 1],
    [
      "typeof null + typeof 1 + typeof 'a' + typeof [] + typeof undefined",
      "objectnumberstringobjectundefined",
    ],
    ["'a' in { a: 1 }", true],
    ["'toString' in { a: 1 }", false],
    ["[1, ...[2, 3], 4]", [1, 2, 3, 4]],
    ["{ a: 1, ...{ b: 2, a: 3 } }", { a: 3, b: 2 }],
    ["{ ...null, ['k' + 1]: 2 }", { k1: 2 }],
    ["[1, 2, 3].map((x, i) => x * i)", [0, 2, 6]],
    ["[1, 2, 3, 4].findLast((x) => x < 3)", 2],
    ["[1, 2].findIndex((x) => x === 5)", -1],
    ["['a', 'b'].indexOf('c')", -1],
    ["['a', null, 'b'].join('-')", "a--b"],
    ["[1, 2, 3].reduce((sum, x) => sum + x, 10)", 16],
    ["['b', 'a'].sort()", ["a", "b"]],
    ["['b', 'a'].toSorted((a, b) => a.localeCompare(b))", ["a", "b"]],
    ["[1, 2, 3].at(-1)", 3],
    ["' Ab '.trim().toLowerCase() + 'x'.toUpperCase()", "abX"],
    ["'abcd'.slice(1, 3) + 'abcd'.substring(3) + 'abcd'.charAt(0)", "bcda"],
    ["'7'.padStart(3, '0') + '7'.padEnd(2, '-')", "0077-"],
    ["'a.a'.replace('a', '$&') + 'a.a'.replaceAll('a', 'b')", "a.ab.b"],
    ["(3.14159).toFixed(2)", "3.14"],
    ["(1234567.891).toLocaleString()", "1,234,567.891"],
    ["(5).toLocaleString('en-US', { minimumFractionDigits: 2 })", "5.00"],
    ["Math.max(1, 5, 3) + Math.min(...[4, 2])", 7],
    ["Math.round(2.5) + Math.floor(-1.5) + Math.trunc(1.9)", 2],
    ["Object.entries({ a: 1 }).map(([key, value]) => `${key}=${value}`)", ["a=1"]],
    ["Object.fromEntries([['a', 1]])", { a: 1 }],
    ["Array.from({ length: 3 }, (_, i) => i * 2)", [0, 2, 4]],
    ["Number('12') + parseInt('7px') + parseFloat('1.5')", 20.5],
    ["[0, 'a', null, 2].filter(Boolean)", ["a", 2]],
    ["JSON.stringify({ a: [1, 'x'] })", '{"a":[1,"x"]}'],
    ["new Set(['a', 'a']).size", 1],
    ["[1, 2, 3].find((x) => x > 5) ?? 'none'", "none"],
  ])("%s", (expression, value) => {
    const { end, fault } = visit(
      `return ${expression.startsWith("{") ? `(${expression})` : expression}`,
    );
    expect(fault).toBeUndefined();
    expect(end?.value).toEqual(value);
  });
});

describe("helpers of the language", () => {
  it.each<[string, unknown]>([
    ["today", "2026-03-10"],
    ["daysBetween('2026-03-01', today)", 9],
    ["daysBetween('2026-03-09T23:00:00Z', '2026-03-10T01:00:00Z')", 1],
    ["addDays(today, 30)", "2026-04-09"],
    ["addDays('2026-03-10T08:30:00Z', -1)", "2026-03-09T08:30:00.000Z"],
    ["sum([1, 2.5])", 3.5],
    ["round(2.345, 2)", 2.35],
    ["round(1.005, 2)", 1.01],
    ["unique(['a', 'b', 'a'])", ["a", "b"]],
    ["unique([{ id: 1 }, { id: 1 }]).length", 1],
    [
      "groupBy([{ t: 'a', n: 1 }, { t: 'b', n: 2 }, { t: 'a', n: 3 }], (x) => x.t).map((g) => `${g.key}:${sum(g.items.map((x) => x.n))}`)",
      ["a:4", "b:2"],
    ],
    ["[3, 20].sort((a, b) => b - a)", [20, 3]],
  ])("%s", (expression, value) => {
    expect(visit(`return ${expression}`).end?.value).toEqual(value);
  });
});

describe("dates are in UTC and told as ISO text", () => {
  it.each<[string, unknown]>([
    ["new Date('2026-03-01')", "2026-03-01"],
    ["new Date('2026-03-01T10:00')", "2026-03-01T10:00:00.000Z"],
    ["new Date('2026-03-01T10:00:00+02:00').toISOString()", "2026-03-01T08:00:00.000Z"],
    ["new Date('March 1, 2026').getDate()", 1],
    ["new Date('2026-03-01').getMonth() + new Date('2026-03-01').getDay()", 2],
    ["(new Date(today) - new Date('2026-03-08')) / 86400000", 2],
    ["new Date('2026-03-01') < new Date('2026-03-02')", true],
    ["new Date('2026-03-01') < '2026-03-02'", true],
    ["new Date('2026-03-01') === new Date('2026-03-02')", false],
    ["null < '2026-03-02'", false],
    ["`on ${new Date('2026-03-01')}`", "on 2026-03-01"],
    ["new Date().toISOString().slice(0, 10)", "2026-03-10"],
  ])("%s", (expression, value) => {
    const { end, fault } = visit(`return ${expression}`);
    expect(fault).toBeUndefined();
    expect(end?.value).toEqual(value);
  });
});

describe("statements", () => {
  it.each<[string, string]>([
    ["let n = 0; for (const x of [1, 2, 3]) { if (x === 2) continue; n += x; } return `${n}`", "4"],
    ["for (const x of [1, 2, 3]) { if (x > 1) return `first ${x}`; } return 'none'", "first 2"],
    [
      "const l = []; for (const [i, x] of ['a', 'b'].entries()) l.push(`${i}${x}`); return l.join()",
      "0a,1b",
    ],
    [
      "const { a, b: { c = 5 } = {}, ...rest } = { a: 1, d: 2 }; return `${a} ${c} ${rest.d}`",
      "1 5 2",
    ],
    [
      "const [first, , third = 'x', ...more] = [1, 2]; return `${first} ${third} ${more.length}`",
      "1 x 0",
    ],
    ["let n = 1; if (n > 1) { n = 2 } else if (n === 1) { n = 3 } return `${n}`", "3"],
    ["let n = 0; [1, 2].forEach((x) => { n += x; }); return `${n}`", "3"],
    ["const a = null; return `${a?.b.c ?? 'no'}`", "no"],
    ["const a = [2, 1]; a.sort(); return `${a[0]}`", "1"],
    ["const a = [2, 1]; const b = a.sort(); return `${a[0]} ${b[0]}`", "1 1"],
    ["const a = [2, 1]; const b = a.toSorted(); return `${a[0]} ${b[0]}`", "2 1"],
    ["let n = 0; for (const x of 'abc') n += 1; return `${n}`", "3"],
    [
      "try { throw new Error('no') } catch (e) { return `caught ${e.message}` } return 'x'",
      "caught no",
    ],
  ])("%s", (code, text) => {
    expect(answerOf(code)).toBe(text);
  });

  it("ends as unsolved if the program itself throws", () => {
    const { end } = visit("throw new Error(`No user ${1 + 1}.`)");
    expect(end).toMatchObject({ failed: true, text: "No user 2." });
  });
});

describe("an answer is worded for people", () => {
  it.each<[string, string]>([
    ["return `Total: ${0.1 + 0.2}`", "Total: 0.3"],
    ["return 'Total: ' + 0.1 * 3", "Total: 0.3"],
    ["return `Names: ${['a', 'b']}, open: ${true}`", "Names: a,b, open: true"],
    ["return `Owner: ${null}`", "Owner: null"],
    ["return `It is ${[{ name: 'x' }, { name: 'y' }]}`", "It is name x and name y"],
    ["return `It is ${{ name: 'x', size: 2 }}`", "It is name x, size 2"],
    [
      "const rows = [1 / 3].map((x) => `- ${x}`); return `Rows:\\n${rows.join('\\n')}`",
      "Rows:\n- 0.3333333333333333",
    ],
    ["return ['a', 'b']", "a and b"],
    ["return 1 / 3", "0.3333333333333333"],
    ["return 3.0000000000000004", "3"],
    ["return []", "none"],
  ])("%s", (code, text) => {
    expect(answerOf(code)).toBe(text);
  });

  it("keeps JavaScript's notation in what a tool is given", () => {
    const [call] = visit(
      "await close({ id: `n${0.1 + 0.2}`, when: new Date(today) }); return 'x'",
    ).calls;
    expect(call?.args).toEqual({ id: "n0.30000000000000004", when: "2026-03-10" });
  });
});

describe("nothing goes wrong silently", () => {
  it.each<[string, RegExp]>([
    ["const a = {};\nreturn `${a.b.c}`", /^fault: 2: `a\.b` is undefined here.*`c`/],
    ["const a = [1]; return `${a.title}`", /`a` is a list.*`title`/],
    ["const a = 'x'; return a.map((x) => x)", /`a` is a text.*`map`/],
    ["const a = {}; return `${a.b}`", /`a\.b` has no value/],
    ["const a = {}; return `x` + a.b", /undefined/],
    ["const a = {}; return `${a.b + 1}`", /`a\.b`.*number.*undefined/],
    ["return `${null * 2}`", /number.*null/],
    ["return `${1 / 0}`", /1 \/ 0 is not a number/],
    ["return `${Number('x')}`", /NaN/],
    ["return `${Math.sqrt(-1)}`", /no number/],
    ["return `${undefined < 1}`", /undefined/],
    [
      "const i = { stage: { name: 'open' } }; return `${i.stage === 'open'}`",
      /object.*compared.*field/i,
    ],
    ["return `${[{ id: 1 }].includes('1')}`", /compared/],
    ["return sum([1, undefined])", /undefined/],
    ["return `${new Date('soon')}`", /"soon" is not a date/],
    ["return new Date('soon').toDateString()", /"soon" is not a date/],
    ["return `${new Date('2026-02-30')}`", /is not a date/],
    ["return daysBetween(null, today)", /null is not a date/],
    ["return new Date(today) + 86400000", /addDays/],
    ["for (const x of 5) { } return 'x'", /list.*number/],
    ["return [5, 1, 10].sort()", /10 before 5.*sort\(\(a, b\) => a - b\)/],
    ["return [1, 3, 2].sort((a, b) => a > b)", /boolean.*a - b/],
    ["return new Date('2026-03-01') === new Date('2026-03-01')", /getTime/],
    ["return `${new Date('2026-03-01')}`.slice(0, 4)", /date.*toISOString/],
    ["return 'a'.padEnd(9, new Date('2026-03-01'))", /date.*toISOString/],
    ["return new Map([['a', 1]])", /Map is not a value.*Object\.fromEntries/],
    ["return (() => 1)", /function is not a value/],
    ["return 'ab'.repeat(-1)", /repeated/],
    ["return (1).toFixed(200)", /between 0 and 100/],
  ])("%s", (code, problem) => {
    expect(answerOf(code)).toMatch(/^fault: \d+: /);
    expect(answerOf(code)).toMatch(problem);
  });

  it.each(["return null", "return ''", "return undefined"])(
    "ends without words if it returns none: %s",
    (code) => {
      expect(visit(code)).toMatchObject({ calls: [], end: { text: "", failed: false } });
    },
  );

  it.each(["`${{ a: 1 }}`", "`x${null}`", "[`${[{}]}`]", "Number('x')", "[undefined]", "Infinity"])(
    "gives no tool %s",
    (value) => {
      const { calls, fault } = visit(`await close({ id: ${value} }); return 'done'`);
      expect(calls).toEqual([]);
      expect(fault?.line).toBe(1);
    },
  );
});

describe("a result that is an object around a list", () => {
  const paged = {
    items: [
      { id: "a", hours: 1 },
      { id: "b", hours: 3 },
    ],
    total: 2,
    next: null,
  };

  it.each<[string, unknown]>([
    ["return r.map((one) => one.id)", ["a", "b"]],
    ["return r.length", 2],
    ["return [...r].length", 2],
    ["return sum(r.map((one) => one.hours))", 4],
    ["let n = 0; for (const one of r) n += one.hours; return n", 4],
    ["return r.items.length + r.total", 4],
  ])("is used as the list if a list is needed: %s", (code, value) => {
    expect(after(code, paged).end?.value).toEqual(value);
  });

  it.each([[{ name: "Ana", members: ["x"] }], [{ items: [1], others: [2] }], [{ total: 2 }]])(
    "is not a list if it has other fields: %j",
    (result) => {
      expect(after("return r.map((one) => one)", result).fault?.problem).toMatch(/map/);
      expect(after("return r.length ?? 'none'", result).end?.value).toBe("none");
    },
  );

  it("has its own `length` if it has such a field", () => {
    expect(after("return r.length", { items: [1, 2], length: 7 }).end?.value).toBe(7);
  });
});

/** What code comes to behind `r`, the result of a call. */
function after(code: string, result: unknown) {
  return visit(`const r = await list();\n${code}`, { "0": { result } });
}
