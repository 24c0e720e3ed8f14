import { describe, expect, it } from "vitest";
import { answerOf, finish, visit } from "./programRuns.js";

/** What code answers, as JSON. */
function valueOf(code: string): unknown {
  const { end, fault } = visit(code);
  return end ? end.value : `fault: ${fault?.problem}`;
}

describe("what models write is followed as JavaScript does it", () => {
  it.each<[string, unknown]>([
    ["let t = 0; for (let i = 1; i <= 5; i++) { t += i; } return t;", 15],
    ["let n = 1; while (n < 100) n *= 2; return n;", 128],
    ["let n = 9; do { n++; } while (n < 5); return n;", 10],
    ["let s = ''; for (const k in { a: 1, b: 2 }) s += k; return s;", "ab"],
    [
      "let s = ''; outer: for (const a of [1, 2, 3]) { for (const b of [1, 2, 3]) { if (b === 2) continue outer; if (a === 3) break outer; s += `${a}${b} `; } } return s;",
      "11 21 ",
    ],
    [
      "const f = (x) => { switch (x) { case 1: return 'one'; case 2: case 3: { return 'few'; } default: return 'many'; } }; return [1, 2, 3, 4].map(f);",
      ["one", "few", "few", "many"],
    ],
    [
      "let s = ''; switch (2) { case 1: s += 'a'; case 2: s += 'b'; case 3: s += 'c'; break; default: s += 'd'; } return s;",
      "bc",
    ],
    [
      "const log = []; try { log.push('try'); throw new TypeError('no'); } catch ({ message }) { log.push(message); } finally { log.push('last'); } return log;",
      ["try", "no", "last"],
    ],
    ["function f() { try { return 'a'; } finally { return 'b'; } } return f();", "b"],
    ["try { throw 'plain'; } catch (e) { return e + '!'; }", "plain!"],
    ["try { null.x; } catch (e) { return e instanceof TypeError; } return 1;", true],
    ["try { JSON.parse('{'); } catch (e) { return e.name; } return 1;", "SyntaxError"],
    ["const f = function own(n) { return n > 1 ? n * own(n - 1) : 1; }; return f(4);", 24],
    ["return fact(5); function fact(n) { return n <= 1 ? 1 : n * fact(n - 1); }", 120],
    [
      "const even = (n) => n === 0 || odd(n - 1); const odd = (n) => n !== 0 && even(n - 1); return even(10);",
      true,
    ],
    [
      "const add = (a, b = 10, ...more) => a + b + more.length; return [add(1), add(1, 2), add(1, 2, 3, 4)];",
      [11, 3, 5],
    ],
    [
      "const make = () => { let n = 0; return { next: () => ++n, peek() { return n; } }; }; const c = make(); c.next(); c.next(); return c.peek();",
      2,
    ],
    [
      "const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i); return fs.map((f) => f());",
      [0, 1, 2],
    ],
    [
      "const by = {}; for (const [k, v] of [['a', 1], ['b', 2], ['a', 3]]) (by[k] ||= []).push(v); return by;",
      { a: [1, 3], b: [2] },
    ],
    [
      "const o = { n: 1, in: { x: 1 } }; o.n += 2; o.in.x++; o['y'] = 5; delete o.n; return o;",
      { in: { x: 2 }, y: 5 },
    ],
    ["let a = 1, b = 2; [a, b] = [b, a]; return [a, b];", [2, 1]],
    ["let x, y; ({ x, y = 5 } = { x: 1 }); return x + y;", 6],
    ["const a = [1, 2]; const b = a; b.push(3); return a;", [1, 2, 3]],
    [
      "const a = [3, 1, 2]; a.sort((x, y) => y - x); a.reverse(); return [a.pop(), a.shift(), a.splice(0, 1)];",
      [3, 1, [2]],
    ],
    [
      "const m = new Map([['a', 1]]); m.set('b', 2).delete('a'); return [m.size, m.get('b'), m.has('a'), [...m.entries()]];",
      [1, 2, false, [["b", 2]]],
    ],
    ["const s = new Set([1, 1, 2]); s.add(3); return [...s].map((x) => x * 2);", [2, 4, 6]],
    [
      "let t = ''; for (const [k, v] of new Map([['a', 1], ['b', 2]])) t += k + v; return t;",
      "a1b2",
    ],
    [
      "return Object.groupBy([1, 2, 3], (x) => x % 2 ? 'odd' : 'even');",
      { odd: [1, 3], even: [2] },
    ],
    ["return [...Map.groupBy([1, 2, 3], (x) => x % 2).get(1)];", [1, 3]],
    [
      "const a = { b: [1] }; const c = structuredClone(a); c.b.push(2); return [a, c];",
      [{ b: [1] }, { b: [1, 2] }],
    ],
    ["return [...Array(3).keys()].map((i) => i + 1);", [1, 2, 3]],
    ["return new Array(2).fill('x').join('');", "xx"],
    ["return [...'aé']", ["a", "é"]],
    ["return 'a-b_c'.split(/[-_]/)", ["a", "b", "c"]],
    ["return '2026-03-10'.match(/(\\d+)-(\\d+)/).slice(1)", ["2026", "03"]],
    ["return [...'a1b22'.matchAll(/\\d+/g)].map((m) => m[0] + m.index)", ["11", "223"]],
    [
      "const re = /\\d/g; let n = 0, m; while ((m = re.exec('a1b2')) !== null) n += Number(m[0]); return n;",
      3,
    ],
    ["return 'John Smith'.replace(/(\\w+)\\s(\\w+)/, '$2, $1')", "Smith, John"],
    ["return 'abc'.replace(/b/g, (c) => c.toUpperCase())", "aBc"],
    ["return /^(?<y>\\d{4})/.exec('2026')?.groups.y", "2026"],
    ["return (2469).toLocaleString('de-DE')", "2.469"],
    [
      "return (1075.2).toLocaleString('en-US', { style: 'currency', currency: 'USD' })",
      "$1,075.20",
    ],
    ["return new Intl.NumberFormat('en-US', { notation: 'compact' }).format(4200000)", "4.2M"],
    ["return new Date('2026-12-25').toLocaleDateString('en-US', { weekday: 'long' })", "Friday"],
    ["return new Date('2026-12-25').toLocaleDateString()", "12/25/2026"],
    ["return new Date(2026, 11, 25).toISOString()", "2026-12-25T00:00:00.000Z"],
    [
      "const d = new Date('2026-01-31'); d.setDate(d.getDate() + 1); return d.toISOString().slice(0, 10);",
      "2026-02-01",
    ],
    ["return JSON.parse('{\"a\": [1]}').a[0]", 1],
    ["return JSON.parse({ a: 1 }).a", 1],
    ["enum Stage { Open = 'open', Done = 'done' } return Stage.Done", "done"],
    ["enum N { A, B } return [N.B, N[0]]", [1, "A"]],
    [
      "const t = [1, 2] as const satisfies readonly number[]; function id<T>(x: T): T { return x; } return id<number>(t[1]!);",
      2,
    ],
    ["var x = 1; if (x) { var y = 2; } return x + y;", 3],
    ["return (5 & 3) | (1 << 3)", 9],
    ["return [1, 2, 3].reduceRight((a, b) => a + b, '')", "321"],
    [
      "const o = { add: (a, b) => a + b, ['mul']: (a, b) => a * b }; return o['mul'](2, 3) + o.add(1, 1);",
      8,
    ],
    ["const f = null; return f?.(1) ?? 'none'", "none"],
    ["return encodeURIComponent('a b')", "a%20b"],
    ["return String.raw`a\\n`", "a\\n"],
    ["return ['10', '10'].map(Number)", [10, 10]],
    ["let i = 0; const a = [i++, i++, ++i]; return a;", [0, 1, 3]],
    [
      "const v = [1, [2], null]; return JSON.stringify(v.map((x) => x === '' || x === true));",
      "[false,false,false]",
    ],
    ["const a = []; a[2] = 'x'; let n = 0; a.forEach(() => n++); return [n, a.length];", [1, 3]],
    ["const a = []; a[2] = 5; return a.reduce((x, y) => x + y) + a.filter(() => true).length", 6],
    [
      "const a = new Array(3); a[1] = 5; return JSON.stringify([a, a.toReversed(), a.concat([1]).length, Object.keys(a), 0 in a, a.includes(undefined), a.indexOf(undefined)]);",
      '[[null,5,null],[null,5,null],4,["1"],false,true,-1]',
    ],
    [
      "const b = [1, 2, 3, 4]; b.splice(1, 2, 9); b.fill(0, 1, 2); return [b.join(), b.with(0, 7).join(), b.at(-1), b.pop(), b.unshift(5), b.join(), b.slice(-1).join(), b.toSpliced(0, 1).join(), b.shift()].map(String);",
      ["1,0,4", "7,0,4", "4", "4", "3", "5,1,0", "0", "1,0", "5"],
    ],
    [
      "let a = 0; let c = []; const k = 'x'; ({ [k]: a = 3, ...c } = { y: 1 }); return [a, c.y];",
      [3, 1],
    ],
    ["return [Object.is(-0, 0), [0].includes(-0)]", [false, true]],
    ["return Array.from({ length: 2, 0: 'a' }).map((x) => x ?? '-').join('')", "a-"],
    ["const o = { ...(0 && { a: 1 }), ...(false && { b: 1 }) }; return Object.keys(o).length", 0],
    ["const l = [4, 5]; const { length, [length - 1]: last } = l; return [length, last];", [2, 5]],
    ["return isNaN(parseInt(null)) && isNaN(parseFloat(undefined))", true],
    ["return new Map([['k', 1]]).keys().next().value", "k"],
    [
      "return ['2025', '2025/3/5', '2025-3-5'].map((d) => new Date(d).getUTCDate()).join()",
      "1,5,5",
    ],
    [
      "let f = 1n; for (let i = 2n; i <= BigInt(25); i++) f *= i; return `${f} ${f.toLocaleString()} ${typeof f} ${f > 5}`;",
      "15511210043330985984000000 15,511,210,043,330,985,984,000,000 bigint true",
    ],
    ["return [7n / 2n, -7n % 3n, ~5n, BigInt('0xff') << 1n].map(String)", ["3", "-1", "-6", "510"]],
    [
      "const e = new AggregateError([new Error('a')], 'all'); return e.errors[0].message + e.message;",
      "aall",
    ],
    ["const w = new WeakMap(); const k = {}; w.set(k, 1); return w.get(k);", 1],
    [
      "return JSON.stringify({ a: 1, b: new Set([2]), c: [undefined, () => 1], d: () => 1 }, (k, v) => v instanceof Set ? [...v] : typeof v === 'number' ? v + 1 : v)",
      '{"a":2,"b":[3],"c":[null,null]}',
    ],
    [
      "return JSON.parse('{\"a\":1,\"b\":[2,{\"c\":3}]}', (k, v) => (k === 'a' ? undefined : typeof v === 'number' ? v * 2 : v))",
      { b: [4, { c: 6 }] },
    ],
    [
      "return [...new Intl.Segmenter('en', { granularity: 'word' }).segment('Go, big!')].filter((s) => s.isWordLike).map((s) => s.segment)",
      ["Go", "big"],
    ],
    ["const e = new RangeError('x'); return `${e} ${e instanceof Error}`", "RangeError: x true"],
  ])("%s", (code, value) => {
    expect(valueOf(code)).toEqual(value);
  });

  it.each([
    ["while (true) {}", /500,000 steps/],
    ["const f = (n) => f(n + 1); return f(0)", /200 deep.*Recursion/],
    ["let s = 'x'; for (;;) s += s;", /characters/],
    ["const l = []; for (;;) l.push(1, 2, 3, 4, 5, 6, 7, 8);", /steps|items/],
    ["return /(a+)+$/.test('a'.repeat(40) + 'b')", /takes more than 200 ms/],
    ["const c = [1]; return c[0](1)", /not a function/],
    ["return new Array(2).map((_, i) => i)", /Array\.from\(\{ length/],
    ["return 1n + BigInt('2') * 3", /big integers.*BigInt\(…\)/],
    ["return 2n ** 1000000n", /30,000 digits/],
    ["return [[]].map((l) => l === 'a')", /cannot be compared/],
  ])("says what is wrong with %s", (code, problem) => {
    expect(answerOf(code.includes("return") ? code : `${code} return 1`)).toMatch(problem);
  });
});

describe("what is logged", () => {
  it.each([
    ["const n = 7; console.log(`It is ${n}.`);", "It is 7."],
    ["console.log('n:', 7); for (const x of ['a', 'b']) console.log(x);", "n: 7\na\nb"],
    ["const show = (x) => console.log(x); if (1 > 0) { show('a'); return; } show('b');", "a"],
    ["console.log('start'); return 'done';", "done"],
    ["console.warn('slow'); console.log('done');", "done"],
    ["try { null.x; } catch { console.error('It failed.'); }", "It failed."],
    ["async function f() { return 7; }\nf().then((n) => console.log('It is', n));", "It is 7"],
    ["console.log({ a: [1, 2] });", "a (1 and 2)"],
  ])("is the answer of a program that returns nothing: %s", (code, answer) => {
    expect(answerOf(code)).toBe(answer);
  });

  it("waits for the calls in it", () => {
    const { last } = finish("console.log('Rate:', await rate({})); console.log(await add({}));", {
      answers: { rate: () => 3, add: () => "ok" },
    });
    expect(last.end?.text).toBe("Rate: 3\nok");
    expect(last.end?.origins).toEqual(["0", "1"]);
  });
});

describe("promises", () => {
  const answers = {
    get: ({ id }: Record<string, unknown>) => {
      if (id === 2) throw new Error("no 2");
      return { id };
    },
  };
  const ends = (code: string) => finish(code, { answers }).last;

  it.each([
    "const rs = await Promise.allSettled([1, 2, 3].map((id) => get({ id })));",
    "const rs = await Promise.allSettled([1, 2, 3].map(async (id) => { const one = await get({ id }); return one; }));",
    "const rs = await Promise.allSettled([get({ id: 1 }), get({ id: 2 }), get({ id: 3 })]);",
    "const made = [1, 2, 3].map((id) => get({ id })); const rs = await Promise.allSettled(made);",
  ])("tell which calls have failed: %s", (code) => {
    const { end } = ends(
      `${code} return rs.map((r) => r.status === "fulfilled" ? r.value.id : r.reason.message);`,
    );
    expect(end?.value).toEqual([1, "no 2", 3]);
  });

  it.each([
    ["return await get({ id: 2 }).catch(() => 'none');", "none"],
    ["return await get({ id: 1 }).then((one) => one.id);", 1],
    [
      "try { await Promise.all([1, 2].map((id) => get({ id }))); return 'all'; } catch (e) { return e.message; }",
      "no 2",
    ],
    [
      "const f = async () => { throw new Error('x'); }; try { await f(); } catch (e) { return e.message; } return 1;",
      "x",
    ],
  ])("%s", (code, value) => {
    expect(ends(code).end?.value).toBe(value);
  });

  it("that nobody waits for end the program where they fail", () => {
    const { fault } = ends("const all = [1, 2].map((id) => get({ id })); return 'done'");
    expect(fault?.problem).toMatch(/get has failed: no 2/);
  });
});

/** The places of all calls, by tool and arguments, however many outcomes are known at a time. */
function placesOf(code: string, answers: Parameters<typeof finish>[1]) {
  const { last, rounds } = finish(code, answers);
  return {
    last,
    calls: rounds
      .flat()
      .map(({ tool, place, args }) => `${tool.name}@${place} ${JSON.stringify(args)}`),
  };
}

describe("each call has its place", () => {
  it("in the turns of a loop, and in each call of a function", () => {
    const code = `async function shut(id) { await close({ id }); }
      await shut(1);
      for (let i = 2; i < 4; i++) await shut(i);
      await Promise.all([4, 5].map(shut));
      return "done";`;
    const { calls } = placesOf(code, {});
    expect(calls).toEqual([
      'close@0:f0 {"id":1}',
      'close@0:0:f1 {"id":2}',
      'close@0:1:f1 {"id":3}',
      'close@0:0:f2 {"id":4}',
      'close@0:1:f2 {"id":5}',
    ]);
  });

  it("in each level of a recursion", () => {
    const code = `async function walk(id) {
        const one = await get({ id });
        const below = await Promise.all(one.children.map((child) => walk(child)));
        return [id, ...below.flat()];
      }
      return await walk("a");`;
    const tree: Record<string, string[]> = { a: ["b", "c"], b: ["d"], c: [], d: [] };
    const { last, calls } = placesOf(code, {
      answers: { get: ({ id }) => ({ children: tree[String(id)] }) },
    });
    expect(last.end?.value).toEqual(["a", "b", "d", "c"]);
    expect(new Set(calls.map((call) => call.split(" ")[0])).size).toBe(4);
  });

  it("which is the same after a crash in the middle of an endless loop", () => {
    const code = `let page = 1; const ids = [];
      for (;;) {
        const found = await list({ page });
        for (const id of found.ids) { await close({ id }); ids.push(id); }
        if (!found.next) break;
        page = found.next;
      }
      return ids;`;
    const pages = [
      { ids: ["a", "b"], next: 2 },
      { ids: ["c"], next: null },
    ];
    const { last, calls } = placesOf(code, {
      answers: { list: ({ page }) => pages[Number(page) - 1] },
    });
    expect(last.end?.value).toEqual(["a", "b", "c"]);
    expect(calls.map((call) => call.split(" ")[0])).toEqual([
      "list@0:0",
      "close@1:0:0",
      "close@1:0:1",
      "list@0:1",
      "close@1:1:0",
    ]);
    const after = visit(code, { "0:0": { result: pages[0] }, "1:0:0": { result: null } });
    expect(after.calls.map(({ place }) => place)).toEqual(["1:0:1"]);
  });
});

describe("what is not known yet", () => {
  it("leaves unknown what a function may change that is called in a branch", () => {
    const code = `const seen = []; const note = (x) => { seen.push(x); };
      const one = await get({ id: 1 });
      if (one.open) note("a");
      await send({ text: seen.join() });
      return "sent";`;
    const first = visit(code);
    expect(first.writes).toEqual([]);
    expect(first.complete).toBe(false);
    const open = visit(code, { "0": { result: { open: true } } });
    expect(open.writes.map(({ args }) => args)).toEqual([{ text: "a" }]);
  });

  it("leaves unknown what another name for the same list says", () => {
    const code = `const a = []; const b = a; const one = await get({ id: 1 });
      if (one.open) b.push(1);
      await send({ count: a.length });
      return "sent";`;
    expect(visit(code)).toMatchObject({ writes: [], complete: false });
  });

  it("does not reach a write behind a function that may throw", () => {
    const code = `const check = (x) => { if (!x.ok) throw new Error("no"); };
      check(await get({ id: 1 }));
      await close({ id: 1 });
      return "closed";`;
    expect(visit(code)).toMatchObject({ writes: [], complete: false });
    expect(visit(code, { "0": { result: { ok: true } } }).writes).toHaveLength(1);
    expect(visit(code, { "0": { result: { ok: false } } }).end).toMatchObject({ failed: true });
  });

  it("lets the turns of a counted loop read at once", () => {
    const code = "let t = 0; for (let i = 0; i < 3; i++) { t += await rate({ i }); } return t;";
    expect(visit(code).calls).toHaveLength(3);
  });

  it("knows the length of a list whose items are not there yet", () => {
    const code = `const ids = []; for (const n of [1, 2]) ids.push(await create({ n }));
      await send({ count: ids.length }); return "sent";`;
    expect(visit(code).writes.map(({ args }) => args)).toEqual([{ n: 1 }, { n: 2 }, { count: 2 }]);
  });
});

describe("where values come from, through what the program changes and calls", () => {
  it.each<[string, string[]]>([
    ["const f = () => xs[0].t; v = f();", ["0"]],
    ["const o = {}; o.a = xs[0].t; v = o;", ["0"]],
    ["const o = {}; o[xs[0].t] = 1; v = Object.keys(o);", ["0"]],
    ["const l = []; l.push(xs[0].t); v = l.length;", ["0"]],
    ["const m = new Map(); m.set(xs[0].t, y); v = [...m];", ["0", "1"]],
    ["const s = new Set(); for (const x of xs) s.add(x.t); v = [...s].join();", ["0"]],
    ["v = xs[0].t.replace(/a/, 'b');", ["0"]],
    ["v = /(.)/.exec(xs[0].t)[1];", ["0"]],
    ["v = JSON.parse(JSON.stringify(xs))[0].t;", ["0"]],
    ["v = y.toLocaleString('de-DE');", ["1"]],
    ["v = [1, 2].filter((_, i) => xs[i].n > y).join();", ["0", "1"]],
    ["try { throw new Error(xs[0].t); } catch (e) { v = e.message; }", ["0"]],
    ["v = Object.groupBy([1], () => xs[0].t);", ["0"]],
    ["v = structuredClone(xs);", ["0"]],
    ["const [a] = xs; ({ t: v } = a);", ["0"]],
  ])("%s", (lines, origins) => {
    const code = `const xs = await list({}); const y = await get({ id: 1 }); let v; ${lines} await send({ v }); return "x";`;
    const results = [
      { n: 1, t: "a" },
      { n: 9, t: "b" },
    ];
    const { calls, fault } = visit(code, { "0": { result: results }, "1": { result: 5 } });
    expect(fault).toBeUndefined();
    expect(calls[0]?.origins.v?.toSorted()).toEqual(origins);
  });
});
