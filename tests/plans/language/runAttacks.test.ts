import { describe, expect, it } from "vitest";
import type { Expression, Program } from "../../../plans/language/program.js";
import { interpretProgram } from "../../../plans/language/run/interpretProgram.js";
import { TODAY, tools, visit } from "./programRuns.js";

function ended(program: Program) {
  return interpretProgram(program, { outcomes: new Map(), looks: new Map(), today: TODAY, tools });
}

/** What a tool must never give, and gives here. */
function hostile(result: unknown, code: string) {
  return visit(`const x = await get({}); ${code}`, { "0": { result } });
}

describe("results that are not plain data", () => {
  let ran = 0;
  const run = () => {
    ran += 1;
    return "ran";
  };
  const results: [string, unknown][] = [
    [
      "a getter",
      {
        get a() {
          return run();
        },
      },
    ],
    [
      "a thenable",
      JSON.parse('{ "then": 1 }', (key, value: unknown) => (key === "then" ? run : value)),
    ],
    [
      "a proxy",
      new Proxy(
        { a: 1 },
        {
          get: run,
          ownKeys: () => (run(), []),
          has: () => (run(), true),
          getOwnPropertyDescriptor: () => (run(), undefined),
        },
      ),
    ],
    ["a text of its own making", { a: { toString: run, valueOf: run, [Symbol.toPrimitive]: run } }],
    ["JSON of its own making", { a: { toJSON: run } }],
    ["an iterator of its own making", Object.assign([1], { [Symbol.iterator]: run })],
    ["methods of its own making", Object.assign([1], { map: run, filter: run, join: run })],
    ["a function", run],
    [
      "a class",
      new (class {
        get a() {
          return run();
        }
      })(),
    ],
  ];

  it.each(results)("are not run: %s", (_, result) => {
    for (const code of [
      "return `${x}`",
      "return x",
      "return `${x.a}`",
      "return x.map((i) => i).filter(Boolean).join()",
      "return `${JSON.stringify(x)}`",
      "const { a = 1, ...rest } = x; return `${a} ${Object.keys(rest)}`",
      "for (const i of x) { await send({ i }); } return 'x'",
      "await send({ x }); return 'x'",
      "return `${x + 1}`",
    ]) {
      const { calls } = hostile(result, code);
      for (const { args } of calls) expect(JSON.parse(JSON.stringify(args))).toEqual(args);
    }
    expect(ran).toBe(0);
  });

  it("are followed neither too deep nor in circles", () => {
    const circle: Record<string, unknown> = { a: 1 };
    circle.self = circle;
    expect(hostile(circle, "return `${x.self.self.a}`").end?.text).toBe("1");
    expect(hostile(circle, "await send({ x }); return 'x'").fault?.problem).toMatch(/64 .*deep/);
    const long: unknown[] = [];
    long.length = 4_000_000_000;
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(hostile(deep, "return `${x}`").fault?.problem).toMatch(/deep/);
    expect(hostile(deep, "await send({ x }); return 'x'").calls).toEqual([]);
    expect(hostile(deep, "return `${x.flat(1000000).length}`").end?.text).toBe("1");
    expect(hostile(long, "return `${x.map((i) => i).length}`").fault?.problem).toMatch(
      /100,000 items/,
    );
    expect(hostile("x".repeat(2_000_000), "return `${x}${x}`").fault?.problem).toMatch(
      /characters/,
    );
  });
});

describe("prototypes are out of reach", () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "__defineGetter__"];

  it.each(names)("%s is a field like any other", (name) => {
    const data = JSON.parse(`{ "key": "${name}", "own": { "${name}": "mine" } }`) as unknown;
    expect(hostile(data, "return `${typeof {}[x.key]} ${typeof x[x.key]}`").end?.text).toBe(
      "undefined undefined",
    );
    expect(hostile(data, "return `${x.own[x.key]}`").end?.text).toBe("mine");
    expect(hostile(data, "return `${x.key in {}} ${x.key in x.own}`").end?.text).toBe("false true");
    const { calls } = hostile(
      data,
      "await send({ all: { [x.key]: { polluted: 1 } } }); return 'x'",
    );
    const [all] = calls.map(({ args }) => args.all as object);
    expect(Object.keys(all ?? {})).toEqual([name]);
    expect(Object.getPrototypeOf(all)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it.each(names)("%s of a list, a text, a number or a function is an error", (name) => {
    for (const value of ["[1]", "'a'", "1"]) {
      const { end, fault } = visit(`const x = await get({}); return \`\${${value}[x]}\``, {
        "0": { result: name },
      });
      expect(end?.text ?? fault?.problem).not.toMatch(/native|\[object/);
      expect(fault).toBeDefined();
    }
  });

  it.each([["Object.fromEntries([[x, { polluted: 1 }]])"], ["groupBy([1], () => x)"]])(
    "no object of the host is changed by %s",
    (value) => {
      visit(`const x = await get({}); const y = ${value}; await send({ y }); return "x"`, {
        "0": { result: "__proto__" },
      });
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    },
  );
});

describe("programs that no reader would accept", () => {
  const line = 1;
  const literal = (value: string): Expression => ({ line, kind: "literal", value });
  const returns = (value: Expression): Program => ({
    body: [{ line, kind: "return", value }],
    code: "",
    calls: [],
  });

  it.each<[string, Expression]>([
    [
      "a method of objects",
      {
        line,
        kind: "method",
        of: literal("a"),
        name: "constructor",
        args: [],
        optional: false,
        turn: 0,
      },
    ],
    ["a name of the host", { line, kind: "name", name: "process" }],
    [
      "a field of a function",
      {
        line,
        kind: "field",
        of: {
          line,
          kind: "function",
          parameters: [],
          body: literal("a"),
          isAsync: false,
          isInline: false,
        },
        key: "constructor",
        optional: false,
      },
    ],
    [
      "a tool that nobody has",
      { line, kind: "tool", site: 0, name: "constructor", args: undefined },
    ],
  ])("end in a fault: %s", (_, value) => {
    expect(ended(returns(value))).toMatchObject({ calls: [], fault: { line } });
  });

  it("end in a fault if they are nested endlessly", () => {
    let value: Expression = literal("a");
    for (let depth = 0; depth < 100_000; depth += 1) {
      value = { line, kind: "unary", operator: "!", value };
    }
    expect(ended(returns(value)).fault?.problem).toMatch(/nested/);
  });
});
