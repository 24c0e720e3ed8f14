import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { runInThisContext } from "node:vm";
import { afterAll, describe, expect, test } from "vitest";
import { jsonResult } from "../../../../tools/calls/engine/jsonResult.js";
import { SandboxLimit } from "../../../../tools/calls/sandbox/sandbox.js";
import { openSandbox } from "../../../../tools/calls/sandbox/openSandbox.js";
import { errorOf, resultOf } from "./support.js";

/** Gives programs more time than any of them needs, however busy the machine is. */
const sandbox = openSandbox({ limits: { computeMs: 60_000 } });
afterAll(() => sandbox.close());

const IDENTITY = "function f(value) { return value; }";
const HANG = "async function f() { await callTool('hang'); }";
const never = () => new Promise<never>(() => undefined);

async function echoOrFail({ tool, args }: { tool: string; args: unknown }): Promise<unknown> {
  if (tool === "fail") throw new Error("in two\nlines");
  return tool === "echo" ? { args } : undefined;
}

describe("a program in the sandbox", () => {
  test("gets its arguments in order, and defaults for those left out", async () => {
    const program = "function f(a, b = 2, c) { return [a, b, c.d]; }";
    const args = [1, undefined, { d: 3 }];
    expect(await resultOf(sandbox, { program, args })).toEqual([1, 2, 3]);
  });

  test.each([
    ["numbers that JSON lacks", "[NaN, Infinity, -Infinity, -0]"],
    ["dates, one of them none", "[new Date(0), new Date(NaN)]"],
    ["maps with and without text keys", "new Map([['a', new Map([[1, 2n]])]])"],
    ["bytes and numbers of one type", "[new Uint8Array([1]).buffer, new Float64Array([0.5])]"],
    ["errors and patterns", "[new RangeError('far'), /a+/g]"],
    ["what is left out of objects and empty in lists", "{ a: undefined, b: [undefined, , 1] }"],
    ["what says its own form", "{ toJSON() { return { a: 1 }; } }"],
    ["an instance of a class", "new (class { x = 1; get y() { return 2; } })()"],
  ])("gives %s in the same form as a tool outside", async (_what, expression) => {
    const program = `function f() { return (${expression}); }`;
    // The very expression, as a tool outside of the sandbox would give it.
    const outside = jsonResult(runInThisContext(`(${expression})`));
    const signal = new AbortController().signal;
    const inside = await sandbox.run({ program, functionName: "f", args: [], signal });
    expect(inside).toBe(outside);
  });

  test("finds nothing left by an earlier call", async () => {
    const program = `function f() {
      globalThis.count = (globalThis.count ?? 0) + 1;
      Array.prototype.left = (Array.prototype.left ?? 0) + 1;
      return [count, [].left];
    }`;
    for (let call = 0; call < 4; call++) {
      expect(await resultOf(sandbox, { program })).toEqual([1, 1]);
    }
  });
});

describe("an error", () => {
  test("says what was thrown, and on which line unless it was thrown on purpose", async () => {
    const program = "function f(text) {\n  const found = text.match(/x/);\n  return found[0];\n}";
    const { message } = await errorOf(sandbox, { program, args: ["a"] });
    expect(message).toMatch(/^TypeError: .*null.* \(at: return found\[0\];\)$/);
    const thrown = "function f() { throw new RangeError('not negative'); }";
    expect((await errorOf(sandbox, { program: thrown })).message).toBe("RangeError: not negative");
  });

  test("of the function is told apart from an exceeded limit", async () => {
    const hasty = openSandbox({ size: 1, limits: { computeMs: 1_000 } });
    const endless = { program: "function f() { for (;;); }" };
    expect(await errorOf(hasty, endless)).toBeInstanceOf(SandboxLimit);
    await hasty.close();
    const limits = [
      "function f() { return f(); }",
      "function f() { return () => 1; }",
      // Its last bits of memory go one by one: none is left for an error.
      "function f() { const m = new Map(); for (let i = 0; ; i++) m.set(i, { i }); }",
      "async function f() { await new Promise(() => {}); }",
      "const g = 1;",
      "function f( {",
      `function f() { return "${"x".repeat(1_000_000)}"; }`,
    ];
    for (const program of limits) {
      expect(await errorOf(sandbox, { program })).toBeInstanceOf(SandboxLimit);
    }
    const thrown = await errorOf(sandbox, { program: "function f() { throw 1; }" });
    expect(thrown).not.toBeInstanceOf(SandboxLimit);
  });
});

describe("a called tool", () => {
  test("takes none of the program's time", async () => {
    const quick = openSandbox({ size: 1, limits: { computeMs: 1_000 } });
    const program = "async function f() { await callTool('a'); await callTool('b'); return 1; }";
    // Longer than the program's time and what is added to it before its thread is given up.
    const waits = [1_500, 0];
    expect(await resultOf(quick, { program, callTool: () => sleep(waits.shift()) })).toBe(1);
    await quick.close();
  });

  test("gets its arguments, and its result or error comes back", async () => {
    const program = `async function f() {
      const failed = await callTool("fail").catch((error) => [error instanceof Error, error.message]);
      return [await callTool("echo", { at: new Date(0) }), await callTool("nothing") ?? "none", failed];
    }`;
    expect(await resultOf(sandbox, { program, callTool: echoOrFail })).toEqual([
      { args: { at: "1970-01-01T00:00:00.000Z" } },
      "none",
      [true, "in two lines"],
    ]);
  });

  test("is refused if none may be called, and after the thousandth call", async () => {
    const none = "async function f() { return await callTool('a'); }";
    expect((await errorOf(sandbox, { program: none })).message).toContain("no tools can be called");
    const program = `async function f() {
      const all = Array.from({ length: 1100 }, () => callTool("a"));
      const ended = await Promise.allSettled(all);
      const refused = ended.filter(({ status }) => status === "rejected");
      return [ended.length - refused.length, refused[0].reason.message];
    }`;
    const result = await resultOf(sandbox, { program, callTool: async () => 1 });
    expect(result).toEqual([1_000, "no more than 1000 calls of tools may be made"]);
  });

  test("that answers late does not answer a later program", async () => {
    const one = openSandbox({ size: 1 });
    const early = "function f() { callTool('late'); return 1; }";
    const later = new EventEmitter();
    const late = once(later, "answer");
    expect(await resultOf(one, { program: early, callTool: () => late })).toBe(1);
    const program = "async function f() { return await callTool('own'); }";
    const callTool = async () => {
      later.emit("answer", "late");
      return await sleep(100, "own");
    };
    expect(await resultOf(one, { program, callTool })).toBe("own");
    await one.close();
  });
});

describe("a call that is aborted", () => {
  test.each([
    ["computes", "function f() { for (;;); }"],
    ["waits for a tool", HANG],
  ])("while it %s ends with the reason, and the next one runs", async (_what, program) => {
    const own = openSandbox({ size: 1, limits: { computeMs: 60_000 } });
    const abort = new AbortController();
    const reason = new Error("enough");
    const onStarted = () => void setTimeout(() => abort.abort(reason), 20);
    const call = { program, signal: abort.signal, onStarted, callTool: never };
    await expect(resultOf(own, call)).rejects.toBe(reason);
    expect(await resultOf(own, { program: IDENTITY, args: [1] })).toBe(1);
    await own.close();
  });
});

describe("a pool", () => {
  test("that is closed ends running calls and takes no more", async () => {
    const own = openSandbox();
    let running = Promise.resolve(new Error("not started"));
    await new Promise<void>((onStarted) => {
      running = errorOf(own, { program: HANG, callTool: never, onStarted });
    });
    await own.close();
    expect((await running).message).toContain("ended its process");
    const after = await errorOf(own, { program: IDENTITY });
    expect(after.message).toContain("the sandbox is closed");
  });
});
