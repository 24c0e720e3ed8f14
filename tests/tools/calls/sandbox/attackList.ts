/** An attack of a program on the sandbox; its function is `f`. */
export interface Attack {
  /** Ends the sentence "… leaves the host unharmed". */
  name: string;
  program: string;
  /** The result that is right, or what the error says. */
  gives: { value: unknown } | { error: RegExp };
  args?: unknown[];
}

const TIME = { error: /computed for more than \d+ ms/ };
const DEPTH = { error: /nested too deep/ };
const MEMORY = { error: /more than \d+ MB of memory|string too long|array|length|large|computed/i };

const LOOPS: Attack[] = [
  { name: "an endless loop", program: "function f() { for (;;); }", gives: TIME },
  {
    name: "an endless loop that catches what ends it",
    program: "function f() { for (;;) { try { for (;;); } catch {} finally { continue; } } }",
    gives: TIME,
  },
  {
    name: "an endless loop in a getter of the result",
    program: "function f() { return { get a() { for (;;); } }; }",
    gives: TIME,
  },
  {
    name: "an endless chain of microtasks",
    program: "async function f() { for (;;) await 1; }",
    gives: TIME,
  },
  {
    name: "a search of the engine itself that never ends",
    program: "function f() { return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1); }",
    gives: TIME,
  },
  {
    name: "a pattern that tries everything",
    program: "function f() { return /^(a+)+$/.test('a'.repeat(40) + 'b'); }",
    gives: TIME,
  },
];

const RECURSION: Attack[] = [
  { name: "endless recursion", program: "function f() { return f() + 1; }", gives: DEPTH },
];

const MEMORY_BOMBS: Attack[] = [
  {
    name: "a text that doubles",
    program: "function f() { let s = 'ab'; for (;;) s += s; }",
    gives: MEMORY,
  },
  {
    name: "memory that is taken again after each error",
    program:
      "function f() { const a = []; for (;;) { try { for (;;) a.push('y'.repeat(1e6) + a.length); } catch { a.length = 0; } } }",
    gives: TIME,
  },
];

const POLLUTION: Attack[] = [
  {
    name: "pollution of Object.prototype",
    program:
      "function f() { Object.prototype.polluted = 1; Object.prototype.toString = null; return { a: 1 }; }",
    gives: { value: { a: 1 } },
  },
  {
    name: "setters on Array.prototype",
    program: `function f() {
      for (const i of [0, 1]) Object.defineProperty(Array.prototype, i, { set() { throw 1; } });
      return [new Map([[1, 2]]), new Set([3])];
    }`,
    gives: { value: [[[1, 2]], [3]] },
  },
  {
    name: "overwriting JSON, Promise and the methods of lists",
    program: `async function f() {
      JSON.stringify = JSON.parse = () => "no JSON";
      Promise.prototype.then = Promise.resolve = () => { throw 1; };
      Array.prototype.map = Array.prototype.push = Array.prototype[Symbol.iterator] = null;
      String.prototype.slice = Function.prototype.call = Function.prototype.apply = null;
      await 1;
      return { a: [1, "b"] };
    }`,
    gives: { value: { a: [1, "b"] } },
  },
  {
    name: "replacing all globals",
    program: `function f() {
      for (const name of Object.getOwnPropertyNames(globalThis)) {
        try { globalThis[name] = () => "mine"; } catch {}
      }
      return [1, { b: 2 }];
    }`,
    gives: { value: [1, { b: 2 }] },
  },
  {
    name: "an instanceof that says what it likes",
    program: `function f() {
      Object.defineProperty(Map, Symbol.hasInstance, { value: () => true });
      return { a: 1 };
    }`,
    gives: { value: { a: 1 } },
  },
];

const ESCAPES: Attack[] = [
  {
    name: "walking from its globals to anything of the host",
    program: `function f() {
      const seen = new Set(), found = [];
      const walk = (value) => {
        if ((typeof value !== "object" && typeof value !== "function") || value === null) return;
        if (seen.has(value)) return;
        seen.add(value);
        for (const name of Reflect.ownKeys(value)) {
          if (/process|require|binding|worker|host|^(report|ask|settle)$/i.test(String(name))) found.push(String(name));
          try { walk(value[name]); } catch {}
        }
        walk(Object.getPrototypeOf(value));
      };
      walk(globalThis);
      return found;
    }`,
    gives: { value: [] },
  },
  {
    name: "importing a module of the host",
    program: "async function f() { return (await import('node:fs')).readFileSync('/etc/passwd'); }",
    gives: { error: /./ },
  },
  {
    name: "require",
    program: "function f() { return require('child_process').execSync('id'); }",
    gives: { error: /ReferenceError.*require/ },
  },
  {
    name: "a stack that is prepared by the program",
    program: `function f() {
      Error.prepareStackTrace = (error, sites) => sites.map((site) => site.getThis());
      try { null.x; } catch (error) { return typeof error.stack; }
    }`,
    gives: { value: "string" },
  },
  {
    name: "a name in its arguments that means the prototype",
    program: "function f(a) { return [a.__proto__.x, ({}).x ?? null, Object.keys(a)]; }",
    args: [JSON.parse('{"__proto__": {"x": 1}}')],
    gives: { value: [1, null, ["__proto__"]] },
  },
];

const OUTPUT: Attack[] = [
  {
    name: "a huge text as a result",
    program: "function f() { return 'x'.repeat(2e6); }",
    gives: { error: /more than \d+ characters/ },
  },
  {
    name: "a result that is nested too deep",
    program: "function f() { let a = 1; for (let i = 0; i < 1e4; i++) a = [a]; return a; }",
    gives: { error: /nested more than 200 levels deep/ },
  },
  {
    name: "a list without an end in sight",
    program: "function f() { const a = []; a.length = 4e9; return a; }",
    gives: { error: /more than \d+ characters/ },
  },
  {
    name: "a result that contains itself",
    program: "function f() { const a = { b: [] }; a.b.push(a); return a; }",
    gives: { error: /result\.b\[0\] refers back/ },
  },
  {
    name: "a getter that throws",
    program: "function f() { return { get a() { throw new Error('from a getter'); } }; }",
    gives: { error: /^Error: from a getter$/ },
  },
  {
    name: "a thenable that calls back twice and throws",
    program: "function f() { return { then(done) { done(1); done(2); throw 3; } }; }",
    gives: { value: 1 },
  },
];

const ERRORS: Attack[] = [
  {
    name: "throwing undefined",
    program: "function f() { throw undefined; }",
    gives: { error: /^undefined$/ },
  },
  {
    name: "a huge message",
    program: "function f() { throw new Error('x'.repeat(5e5)); }",
    gives: { error: /^Error: x+…$/ },
  },
  {
    name: "a stack made up by the program",
    program:
      "function f() { const e = new Error('x'); e.stack = '(program.js:99999)\\n(program.js:1'; throw e; }",
    gives: { error: /^Error: x$/ },
  },
  {
    name: "an error of the engine made up by the program",
    program: "function f() { throw new InternalError('out of memory'); }",
    gives: { error: /memory/ },
  },
];

const WAITING: Attack[] = [
  {
    name: "a promise that never settles",
    program: "async function f() { await new Promise(() => {}); }",
    gives: { error: /promise never settles/ },
  },
  {
    name: "a timer",
    program: "function f() { return new Promise((done) => setTimeout(done, 1e9)); }",
    gives: { error: /ReferenceError.*setTimeout/ },
  },
];

const TOOL_CALLS: Attack[] = [
  {
    name: "a flood of calls of tools without an end",
    program: "function f() { for (;;) callTool('echo', {}); }",
    gives: { error: /computed for more than|memory/ },
  },
  {
    name: "calling a tool that is refused",
    program: "async function f() { return await callTool('secret', {}); }",
    gives: { error: /^Error: secret is refused$/ },
  },
  {
    name: "arguments of a tool that are no JSON",
    program: "async function f() { return await callTool('echo', { a: () => 1 }); }",
    gives: { error: /TypeError: arguments of callTool: result\.a is a function/ },
  },
  {
    name: "huge arguments of a tool",
    program: "async function f() { return await callTool('echo', { a: 'x'.repeat(2e6) }); }",
    gives: { error: /arguments of callTool have more than/ },
  },
  {
    name: "a result of a tool that means the prototype",
    program: `async function f() {
      await callTool("prototype");
      return [({}).polluted ?? null, [].polluted ?? null];
    }`,
    gives: { value: [null, null] },
  },
  {
    name: "a huge result of a tool",
    program: "async function f() { return (await callTool('huge')).length; }",
    gives: { error: /^Error: huge: its result has more than/ },
  },
];

/** All attacks, by what they aim at. */
export const ATTACKS: Record<string, Attack[]> = {
  "loops without an end": LOOPS,
  "recursion without an end": RECURSION,
  "bombs of memory": MEMORY_BOMBS,
  "pollution and tampering": POLLUTION,
  "ways out": ESCAPES,
  "hostile results": OUTPUT,
  "hostile errors": ERRORS,
  "promises and time": WAITING,
  "calls of tools": TOOL_CALLS,
};
