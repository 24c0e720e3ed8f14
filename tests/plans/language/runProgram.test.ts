import { describe, expect, it } from "vitest";
import type { PlannedCall, Progress } from "../../../plans/language/progress.js";
import { readProgram } from "../../../plans/language/readProgram.js";
import { interpretProgram } from "../../../plans/language/run/interpretProgram.js";
import { type Answers, finish, TODAY, tools, visit } from "./programRuns.js";

function named(calls: readonly PlannedCall[]): string[] {
  return calls.map(({ tool, place }) => `${tool.name}@${place}`);
}

function shown({ writes, complete }: Progress) {
  return { writes: writes.map(({ args }) => args), complete };
}

function rounds(code: string, answers: Answers): string[] {
  return finish(code, { answers }).rounds.map((calls) => named(calls).join(" "));
}

const CLOSE_STALE = `
const issues = await list({ stage: ["triage"] });
const stale = issues.filter((i) => daysBetween(i.modified, today) > 30);
for (const issue of stale) {
  await close({ id: issue.id });
}
return \`Closed \${stale.length} of \${issues.length} issues.\`;
`;

const ISSUES = [
  { id: "i1", modified: "2026-01-01" },
  { id: "i2", modified: "2026-03-09" },
  { id: "i3", modified: "2026-02-01" },
];

describe("the order of calls", () => {
  it("makes the reads of a list, then its writes one after the other", () => {
    const { last, rounds } = finish(CLOSE_STALE, { answers: { list: () => ISSUES } });
    expect(rounds.map(named)).toEqual([["list@0"], ["close@1:0"], ["close@1:1"]]);
    expect(rounds.flat().map(({ args }) => args)).toEqual([
      { stage: ["triage"] },
      { id: "i1" },
      { id: "i3" },
    ]);
    expect(last.end).toMatchObject({ text: "Closed 2 of 3 issues.", failed: false });
    expect(last.counts).toEqual({ "t.list": 1, "t.close": 2 });
  });

  it("makes reads at once that need nothing of each other", () => {
    const code = `const a = await get({ id: 1 }); const b = await get({ id: 2 });
      const c = await add({ a, b }); return \`\${c}\``;
    const answers: Answers = { get: ({ id }) => id, add: ({ a, b }) => Number(a) + Number(b) };
    expect(rounds(code, answers)).toEqual(["get@0 get@1", "add@2"]);
  });

  it.each([
    "const all = await Promise.all(ids.map(async (id) => { const one = await get({ id }); return one.open ? (await rate({ id })).value : 0; }));",
    "const all = ids.map((id) => { const one = await get({ id }); if (one.open) { const r = await rate({ id }); return r.value } return 0; });",
    "const all = []; for (const id of ids) { const one = await get({ id }); if (one.open) { const r = await rate({ id }); all.push(r.value) } }",
    "const all = []; for (const id of ids) { const one = await get({ id }); if (!one.open) continue; const r = await rate({ id }); all.push(r.value) }",
  ])("lets the reads of other items go on: %s", (loop) => {
    const code = `const ids = [1, 2, 3]; ${loop} return \`\${sum(all)}\``;
    const answers: Answers = {
      get: ({ id }) => ({ open: id !== 2 }),
      rate: ({ id }) => ({ value: Number(id) }),
    };
    expect(rounds(code, answers)).toEqual(["get@0:0 get@0:1 get@0:2", "rate@1:0 rate@1:2"]);
    expect(finish(code, { answers }).last.end?.text).toBe("4");
  });

  it("reads nothing after a pending or possible write", () => {
    const behind = visit("await close({ id: 1 }); const a = await get({ id: 1 }); return `${a}`");
    expect(named(behind.calls)).toEqual(["close@0"]);
    const code = `const a = await who(); if (a.open) { await close({ id: 1 }); }
      const b = await get({ id: 1 }); return \`\${b}\``;
    expect(named(visit(code).calls)).toEqual(["who@0"]);
    expect(rounds(code, { who: () => ({ open: true }), get: () => 1 })).toEqual([
      "who@0",
      "close@1",
      "get@2",
    ]);
  });

  it("makes a write alone, and only when everything before it has its outcome", () => {
    const code =
      "const a = await get({ id: 1 }); await close({ id: 2 }); await close({ id: 3 }); return `${a}`";
    expect(rounds(code, { get: () => 1 })).toEqual(["get@0", "close@1", "close@2"]);
    const first = visit(code);
    expect(named(first.calls)).toEqual(["get@0"]);
    expect(named(first.writes)).toEqual(["close@1", "close@2"]);
    expect(first.complete).toBe(true);
  });

  it("continues after a condition that decides nothing else, and stops if it may end the program", () => {
    const goesOn = `const a = await who(); let n = 1; if (a.x > 1) { n = 2; }
      const b = await get({ id: 5 }); const c = await rate({ n }); return \`\${b} \${c}\``;
    expect(named(visit(goesOn).calls)).toEqual(["who@0", "get@1"]);
    const stops = `const a = await who(); if (a.x > 1) return "none";
      const b = await get({ id: 5 }); return \`\${b}\``;
    expect(named(visit(stops).calls)).toEqual(["who@0"]);
  });
});

describe("the only argument of a call is for the first parameter unless the run shows an object", () => {
  it.each([
    "const ids = [7];\nfor (const id of ids) await close(id);",
    "await Promise.all([7].map(close));",
    "const f = close;\nawait f(7);",
    "const given = true ? { id: 7 } : undefined;\nawait close(given ?? { id: 8 });",
    "const of = (id) => ({ id });\nawait close(of(7));",
    "await Promise.all([close].map((work) => work({ id: 7 })));",
  ])("%s", (code) => {
    const functions = new Map([["close", ["id", "note"]]]);
    const read = readProgram(code, { functions });
    if ("issues" in read) throw new Error(JSON.stringify(read.issues));
    const inputs = { outcomes: new Map(), looks: new Map(), today: TODAY, tools };
    const { writes } = interpretProgram(read.program, inputs);
    expect(writes.map(({ args }) => args)).toEqual([{ id: 7 }]);
  });
});

describe("the writes shown before one is made", () => {
  it("are all of a loop, with their values", () => {
    const after = visit(CLOSE_STALE, { "0": { result: ISSUES } });
    expect(shown(after)).toEqual({ writes: [{ id: "i1" }, { id: "i3" }], complete: true });
    expect(named(after.calls)).toEqual(["close@1:0"]);
    expect(after.counts).toEqual({ "t.list": 1, "t.close": 2 });
  });

  it.each<[string, string, unknown[], boolean]>([
    ["a list is not there yet", CLOSE_STALE, [], false],
    [
      "one takes the result of another",
      "const a = await create({ title: 'x' }); await send({ id: a.id }); return 'x'",
      [{ title: "x" }],
      false,
    ],
    [
      "only words hang on what another gives",
      "const a = await create({ title: 'x' }); let t = 'no'; if (a.ok) { t = 'yes'; } await send({ id: 1 }); return t",
      [{ title: "x" }, { id: 1 }],
      true,
    ],
    [
      "the program may end before",
      "const a = await create({ title: 'x' }); if (!a.ok) { return 'no' } await send({ id: 1 }); return 'x'",
      [{ title: "x" }],
      false,
    ],
    [
      "each may fail for itself",
      "const failed = []; for (const id of [1, 2]) { try { await close({ id }); } catch { failed.push(id); } } return `${failed.length}`",
      [{ id: 1 }, { id: 2 }],
      true,
    ],
    [
      "a failure leads to another write",
      "try { await close({ id: 1 }); } catch { await send({ id: 1 }); } return 'x'",
      [{ id: 1 }],
      false,
    ],
    [
      "a branch of a choice would write",
      "const a = await create({}); const b = a.ok ? await send({ id: 1 }) : null; return 'x'",
      [{}],
      false,
    ],
  ])("say whether they are all, if %s", (_, code, writes, complete) => {
    expect(shown(visit(code))).toEqual({ writes, complete });
  });
});

describe("a call that has failed", () => {
  it("ends a program that does not catch it, with its line", () => {
    const { fault, calls, end } = visit(
      "const a = await get({ id: 1 });\nawait close({ id: 2 });\nreturn `${a}`",
      { "0": { error: "no such item" } },
    );
    expect(fault).toMatchObject({ line: 1 });
    expect(fault?.problem).toContain("get");
    expect(fault?.problem).toContain("no such item");
    expect({ calls, end }).toEqual({ calls: [], end: undefined });
  });

  it("is caught for one item of a loop", () => {
    const code = `const failed = [];
      for (const id of [1, 2, 3]) { try { await close({ id }); } catch (e) { failed.push(\`\${id}: \${e.message}\`); } }
      if (failed.length > 0) { await send({ text: failed.join() }); }
      return \`\${failed.length} failed\``;
    const answers: Answers = {
      close: ({ id }) => {
        if (id === 2) throw new Error("locked");
      },
    };
    const { last, rounds } = finish(code, { answers });
    expect(rounds.flat().at(-1)?.args).toEqual({ text: "2: locked" });
    expect(last.end?.text).toBe("1 failed");
  });

  it("leaves everything open after `return` of a value that may be missing", () => {
    const code =
      "try { const a = await get({ id: 1 }); return a.text; } catch { } await send({ id: 2 }); return 'sent'";
    expect(visit(code)).toMatchObject({ writes: [], complete: false });
    const answers: Answers = {
      get: () => {
        throw new Error("no");
      },
    };
    expect(rounds(code, answers)).toEqual(["get@0", "send@1"]);
    expect(rounds(code, { get: () => ({ text: "x" }) })).toEqual(["get@0"]);
  });

  it("gives nothing if a person removed it", () => {
    const code = "const a = await create({ title: 'x' }); return `${a?.id ?? 'not created'}`";
    expect(visit(code, { "0": { skipped: true } }).end?.text).toBe("not created");
    const needs = visit("const a = await create({ title: 'x' }); return `${a.id}`", {
      "0": { skipped: true },
    });
    expect(needs.fault?.problem).toContain("`a` is null");
  });
});

describe("a fault is known before the next write", () => {
  it.each([
    ["a field that is missing", "await close({ id: 1 }); const a = {}; return `${a.b.c}`"],
    ["a function that nobody has", "await close({ id: 1 }); await fly({ to: 1 }); return 'x'"],
  ])("%s", (_, code) => {
    const { calls, fault } = visit(code);
    expect(calls).toEqual([]);
    expect(fault).toBeDefined();
  });

  it("tells the value that lacks the shape the code wants", () => {
    const { fault } = visit(
      "const a = await list({});\nfor (const x of a) { await close({ id: x.id }); }\nreturn 'x'",
      {
        "0": { result: { items: 3 } },
      },
    );
    expect(fault).toMatchObject({ line: 2, value: { items: 3 } });
  });
});

describe("an argument that a result should give", () => {
  const FIND = "const found = (await users({})).find((u) => u.name === 'Zoe');\n";
  const answers: Answers = { users: () => [{ id: "u1", name: "Ana" }], list: () => [] };

  it.each([
    "found?.id",
    "found?.team.lead.id",
    "(await users({}))[0].role",
    "(await users({}))[7]",
  ])("is not left out if it does not: %s", (value) => {
    const { last, rounds } = finish(
      `${FIND}await close({ id: "a", owner: ${value} });\nreturn "x"`,
      {
        answers,
      },
    );
    expect(last.fault).toMatchObject({
      line: 2,
      problem: expect.stringMatching(/`owner` of close/),
    });
    expect(rounds.flat().map(({ tool }) => tool.name)).not.toContain("close");
  });

  it.each(["undefined", "found ? found.id : undefined", "found?.id ?? undefined"])(
    "is left out if the program says so: %s",
    (value) => {
      const { last, rounds } = finish(
        `${FIND}await close({ id: "a", owner: ${value} });\nreturn "x"`,
        {
          answers,
        },
      );
      expect(last.fault).toBeUndefined();
      expect(rounds.flat().at(-1)?.args).toEqual({ id: "a" });
    },
  );
});

describe("controls", () => {
  it("has a known value looked at, and continues with the answer", () => {
    const code = `const mails = await list({});
      for (const mail of mails) { if (look(mail.text, "Is it spam?") === "yes") { await close({ id: mail.id }); } }
      return "done"`;
    const mails = {
      "0": {
        result: [
          { id: 1, text: "a" },
          { id: 2, text: "b" },
        ],
      },
    };
    expect(visit(code).look).toBeUndefined();
    const first = visit(code, mails);
    expect(first.look).toEqual({ place: "1:0", value: "a", question: "Is it spam?" });
    const { last, rounds } = finish(code, {
      answers: { list: () => mails["0"].result },
      looks: (value) => (value === "b" ? "yes" : "no"),
    });
    expect(rounds.flat().map(({ args }) => args)).toEqual([{}, { id: 2 }]);
    expect(last.end?.text).toBe("done");
  });

  it("has everything looked at before something is written", () => {
    const code = `for (const x of ["a", "b"]) { const t = look(x, "Which?"); await send({ t }); } return "x"`;
    const after = visit(code, {}, { looks: { "0:0": "first" } });
    expect(after.look?.value).toBe("b");
    expect(after.calls).toEqual([]);
    expect(after.writes.map(({ args }) => args)).toEqual([{ t: "first" }]);
  });

  it("says what it needs after the preceding reads and before any write", () => {
    const code =
      "const a = await who();\nawait close({ id: 1 });\nconst b = await need('send a fax'); return `${a} ${b}`";
    expect(named(visit(code).calls)).toEqual(["who@0"]);
    const after = visit(code, { "0": { result: 1 } });
    expect(after).toMatchObject({ calls: [], need: { phrase: "send a fax", line: 3 } });
  });
});

describe("where values come from", () => {
  it("is told for each argument and for the answer", () => {
    const code = `const a = await get({ id: 1 }); const b = await who(); const n = await rate({ id: 2 });
      await send({ to: b.mail, text: \`\${a.title}, \${n}\`, kind: "x", all: [a.title, { m: b.mail }] });
      return \`Sent \${a.title}.\``;
    const outcomes = {
      "0": { result: { title: "T" } },
      "1": { result: { mail: "m" } },
      "2": { result: 3 },
    };
    const { calls } = visit(code, outcomes);
    expect(calls[0]?.origins).toEqual({ to: ["1"], text: ["0", "2"], kind: [], all: ["0", "1"] });
    expect(visit(code, { ...outcomes, "3": { result: null } }).end?.origins).toEqual(["0"]);
  });

  it.each<[string, string[]]>([
    ["xs.length", ["0"]],
    ["sum(xs.map((x) => x.n))", ["0"]],
    ["[...xs, y].length", ["0"]],
    ["[...xs.map((x) => x.n), y].reduce((a, b) => a + b, 0)", ["0", "1"]],
    ["groupBy(xs, (x) => x.t).map((g) => `${g.key} ${g.items.length}`).join()", ["0"]],
    ["`${xs[0]?.t ?? y}`", ["0"]],
    ["xs.some((x) => x.n < y) ? xs[0].n : 0", ["0"]],
    ["Math.max(...xs.map((x) => x.n)) - y", ["0", "1"]],
    ["JSON.stringify({ xs, y })", ["0", "1"]],
    ["xs.some((x) => x.n > y)", ["0", "1"]],
  ])("goes with %s", (expression, origins) => {
    const code = `const xs = await list({}); const y = await get({ id: 1 }); await send({ v: ${expression} }); return "x"`;
    const { calls } = visit(code, {
      "0": {
        result: [
          { n: 1, t: "a", d: "2026-03-01" },
          { n: 2, t: "b", d: "2026-03-02" },
        ],
      },
      "1": { result: 5 },
    });
    expect(calls[0]?.origins.v?.toSorted()).toEqual(origins);
  });
});

describe("bounds", () => {
  it.each<[string, Parameters<typeof visit>[2], RegExp]>([
    [
      "let n = 0; for (const a of Array.from({ length: 900 })) { for (const b of Array.from({ length: 900 })) { n += 1; } } return `${n}`",
      {},
      /500,000 steps/,
    ],
    ["return `${Array.from({ length: 1000000 }).length}`", {}, /100,000 items/],
    ["return 'abc'.repeat(1000000)", {}, /1,000,000 characters/],
    [
      "let s = 'x'; for (const i of Array.from({ length: 50 })) { s = s + s; } return s",
      {},
      /1,000,000 characters/,
    ],
    [
      "let s = [1]; for (const i of Array.from({ length: 500 })) { s = [s]; } return s",
      {},
      /64 deep/,
    ],
    [
      "for (const id of Array.from({ length: 2000 }, (_, i) => i)) { await close({ id }); } return 'x'",
      {},
      /1,000 calls/,
    ],
    [
      "for (const id of [1, 2, 3]) { await close({ id }); } return 'x'",
      { limits: { calls: 2 } },
      /2 calls/,
    ],
    ["return 'x,'.repeat(200000).split(',')", {}, /100,000 items/],
    ["const s = 'x'.repeat(500000); return [s, s, s]", {}, /1,000,000 characters/],
    [
      "const s = 'x'.repeat(500000); await close({ id: [s, s, s] }); return 'x'",
      {},
      /1,000,000 characters/,
    ],
  ])("%s", (code, options, problem) => {
    const { fault, calls } = visit(code, {}, options);
    expect(fault?.problem).toMatch(problem);
    expect(calls).toEqual([]);
  });

  it("lets a program work with a long list", () => {
    const items = Array.from({ length: 10_000 }, (_, id) => ({ id, n: id % 7, d: "2026-01-05" }));
    const code = `const xs = await list({}); const old = xs.filter((x) => daysBetween(x.d, today) > 30 && x.n > 5);
      const names = []; for (const x of old.slice(0, 500)) { names.push(x.id); }
      return \`\${old.length} \${names.length}\``;
    expect(visit(code, { "0": { result: items } }).end?.text).toBe("1428 500");
  });
});
