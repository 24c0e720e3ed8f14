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
const NOTHING = { value: undefined };

const LOOPS: Attack[] = [
  { name: "an endless loop", program: "function f() { for (;;); }", gives: TIME },
  {
    name: "an endless loop that catches what ends it",
    program: "function f() { for (;;) { try { for (;;); } catch {} finally { continue; } } }",
    gives: TIME,
  },
  {
    name: "an endless loop after an await",
    program: "async function f() { await null; for (;;); }",
    gives: TIME,
  },
  {
    name: "an endless loop in a generator",
    program: "function f() { function* g() { for (;;) yield 1; } return [...g()].length; }",
    gives: { error: /computed for more than|memory/ },
  },
  {
    name: "an endless loop in a getter of the result",
    program: "function f() { return { get a() { for (;;); } }; }",
    gives: TIME,
  },
  {
    name: "an endless loop in toJSON",
    program: "function f() { return { toJSON() { for (;;); } }; }",
    gives: TIME,
  },
  {
    name: "a toJSON that gives itself anew",
    program: "function f() { const make = () => ({ toJSON: make }); return make(); }",
    gives: { error: /nested more than 200 levels deep/ },
  },
  {
    name: "an endless loop in a default of a parameter",
    program: "function f(a = (() => { for (;;); })()) { return a; }",
    gives: TIME,
  },
  {
    name: "an endless loop in a trap of a proxy",
    program: "function f() { return new Proxy({}, { ownKeys() { for (;;); } }); }",
    gives: TIME,
  },
  {
    name: "an endless loop when the program is read",
    program: "for (;;); function f() {}",
    gives: TIME,
  },
  {
    name: "an endless loop in the message of an error",
    program: "function f() { throw { get message() { for (;;); } }; }",
    gives: TIME,
  },
  {
    name: "an endless loop in valueOf of a length",
    program: "function f() { return new Array({ valueOf() { for (;;); } } * 1); }",
    gives: TIME,
  },
  {
    name: "an endless chain of microtasks",
    program: "async function f() { for (;;) await 1; }",
    gives: TIME,
  },
  {
    name: "microtasks that start each other",
    program:
      "function f() { const go = () => { Promise.resolve().then(go); }; go(); return new Promise(() => {}); }",
    gives: TIME,
  },
  {
    // Each keeps the one before: a fast machine has no memory left before the time is over.
    name: "microtasks that wait for each other",
    program:
      "function f() { const go = () => Promise.resolve().then(go); go(); return new Promise(() => {}); }",
    gives: { error: /computed for more than|memory/ },
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
  {
    name: "sorting with a comparison that never settles",
    program: "function f() { return [1, 2, 3].sort(() => { for (;;); }); }",
    gives: TIME,
  },
];

const RECURSION: Attack[] = [
  { name: "endless recursion", program: "function f() { return f() + 1; }", gives: DEPTH },
  {
    name: "two functions that call each other",
    program: "function g() { return f() + 1; } function f() { return g() + 1; }",
    gives: DEPTH,
  },
  {
    name: "recursion through functions of the engine",
    program: "function f() { return [1].map(f); }",
    gives: DEPTH,
  },
  {
    name: "recursion through getters",
    program: "const o = { get a() { return this.a; } }; function f() { return o.a; }",
    gives: DEPTH,
  },
  {
    name: "recursion through a text that is put together",
    program: "function f() { const o = { toString() { return '' + o; } }; return '' + o; }",
    gives: DEPTH,
  },
  {
    name: "text that is nested too deep to be parsed",
    program: "function f() { return JSON.parse('['.repeat(200000)); }",
    gives: { error: /./ },
  },
  {
    name: "code that is nested too deep to be parsed",
    program: "function f() { return eval('('.repeat(100000)); }",
    gives: { error: /./ },
  },
];

const MEMORY_BOMBS: Attack[] = [
  {
    name: "a text that doubles",
    program: "function f() { let s = 'ab'; for (;;) s += s; }",
    gives: MEMORY,
  },
  {
    name: "texts that are all kept",
    program: "function f() { const a = []; for (;;) a.push('x'.repeat(1e6) + a.length); }",
    gives: MEMORY,
  },
  {
    name: "a list that is filled",
    program: "function f() { const a = []; for (;;) a.push(new Array(10000).fill(a.length)); }",
    gives: MEMORY,
  },
  {
    name: "a huge list at once",
    program: "function f() { return new Array(2 ** 32 - 1).fill(0).length; }",
    gives: MEMORY,
  },
  {
    name: "typed arrays that are all kept",
    program: "function f() { const a = []; for (;;) a.push(new Float64Array(1e6)); }",
    gives: MEMORY,
  },
  {
    name: "a huge buffer",
    program: "function f() { return new ArrayBuffer(2 ** 31 - 1).byteLength; }",
    gives: MEMORY,
  },
  {
    name: "a map that grows",
    program: "function f() { const m = new Map(); for (let i = 0; ; i++) m.set(i, { i }); }",
    gives: MEMORY,
  },
  {
    name: "a whole number that squares itself",
    program: "function f() { let n = 10n; for (;;) n *= n; }",
    gives: { error: /./ },
  },
  {
    name: "closures that keep each other",
    program:
      "function f() { let g = () => 0; for (;;) { const h = g, a = new Array(1000).fill(1); g = () => [h, a]; } }",
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
    name: "a constructor that promises are to be made with",
    program: `async function f() {
      Promise.prototype.constructor = function () { throw new Error("mine"); };
      return 1;
    }`,
    gives: { value: 1 },
  },
  {
    name: "overwriting the function itself",
    program: "function f() { f = () => 2; globalThis.f = 3; return 1; }",
    gives: { value: 1 },
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
    name: "asking constructors for the process",
    program: `function f() {
      return ["process", "require", "module", "Buffer", "fetch", "setTimeout", "WebAssembly", "Deno"]
        .map((name) => f.constructor.constructor("return typeof " + name)());
    }`,
    gives: { value: Array.from({ length: 8 }, () => "undefined") },
  },
  {
    name: "asking the constructor of callTool for the process",
    program: `function f() {
      return callTool.constructor("return typeof process + typeof this.require")();
    }`,
    gives: { value: "undefinedundefined" },
  },
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
    name: "importing where a module would",
    program: "import fs from 'node:fs'; function f() { return fs; }",
    gives: { error: /cannot be run: SyntaxError/ },
  },
  {
    name: "require",
    program: "function f() { return require('child_process').execSync('id'); }",
    gives: { error: /ReferenceError.*require/ },
  },
  {
    name: "import.meta",
    program: "function f() { return import.meta.url; }",
    gives: { error: /cannot be run: SyntaxError/ },
  },
  {
    name: "await at the top of the program",
    program: "await new Promise(() => {}); function f() {}",
    gives: { error: /cannot be run/ },
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
    name: "memory that is shared with nobody",
    program: `function f() {
      const shared = new SharedArrayBuffer(8);
      return [typeof Atomics, new Uint8Array(shared).length];
    }`,
    gives: { value: ["undefined", 8] },
  },
  {
    name: "the caller of a function",
    program: "function f() { return arguments.callee; }",
    gives: { error: /TypeError/ },
  },
  {
    name: "with",
    program: "function f() { with (globalThis) { return 1; } }",
    gives: { error: /cannot be run: SyntaxError/ },
  },
  {
    name: "text that closes what might be around it",
    program: "}})(); globalThis.process = 1; (function () {{ function f() { return 1; }",
    gives: { error: /cannot be run: SyntaxError/ },
  },
  {
    name: "text that leaves a comment open",
    program: "function f() { return 1; } /* ",
    gives: { error: /cannot be run: SyntaxError/ },
  },
  {
    name: "a way out of labels",
    program: "function f() { out: for (;;) { for (;;) break out; } return 1; }",
    gives: { value: 1 },
  },
  {
    name: "separators of lines and ends of scripts in a text",
    program: "function f(text) { return text + '</script>\\u2028'; }",
    args: ["\u2028\u2029\0</script>"],
    gives: { value: "\u2028\u2029\0</script></script>\u2028" },
  },
  {
    name: "a name in its arguments that means the prototype",
    program: "function f(a) { return [a.__proto__.x, ({}).x ?? null, Object.keys(a)]; }",
    args: [JSON.parse('{"__proto__": {"x": 1}}')],
    gives: { value: [1, null, ["__proto__"]] },
  },
  {
    name: "a name in its result that means the prototype",
    program: 'function f() { return JSON.parse(\'{"__proto__": {"polluted": 1}}\'); }',
    gives: { value: JSON.parse('{"__proto__": {"polluted": 1}}') },
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
    name: "a huge name in a result",
    program: "function f() { return { ['k'.repeat(2e6)]: 1 }; }",
    gives: { error: /more than \d+ characters/ },
  },
  {
    name: "a result that contains itself",
    program: "function f() { const a = { b: [] }; a.b.push(a); return a; }",
    gives: { error: /result\.b\[0\] refers back/ },
  },
  {
    name: "one object in a million places",
    program: "function f() { let a = ['x']; for (let i = 0; i < 40; i++) a = [a, a]; return a; }",
    gives: { error: /more than \d+ characters|computed/ },
  },
  {
    name: "a proxy that says it is a list of any length",
    program: `function f() {
      return new Proxy([], { get: (target, name) => name === "length" ? 2 ** 32 - 1 : "x" });
    }`,
    gives: { error: /more than \d+ characters|computed/ },
  },
  {
    name: "a getter that throws",
    program: "function f() { return { get a() { throw new Error('from a getter'); } }; }",
    gives: { error: /^Error: from a getter$/ },
  },
  {
    name: "a result that is revoked",
    program:
      "function f() { const { proxy, revoke } = Proxy.revocable([], {}); revoke(); return proxy; }",
    gives: { error: /TypeError/ },
  },
  {
    name: "a thenable that calls back twice and throws",
    program: "function f() { return { then(done) { done(1); done(2); throw 3; } }; }",
    gives: { value: 1 },
  },
  {
    name: "a false map",
    program: "function f() { return Object.create(Map.prototype); }",
    gives: { error: /TypeError/ },
  },
];

const ERRORS: Attack[] = [
  {
    name: "throwing undefined",
    program: "function f() { throw undefined; }",
    gives: { error: /^undefined$/ },
  },
  { name: "throwing null", program: "function f() { throw null; }", gives: { error: /^null$/ } },
  {
    name: "throwing a symbol",
    program: "function f() { throw Symbol('s'); }",
    gives: { error: /symbol/ },
  },
  {
    name: "an error whose message throws",
    program: "function f() { throw { get message() { throw 1; } }; }",
    gives: { error: /cannot be read/ },
  },
  {
    name: "an error whose name is not a text",
    program:
      "function f() { const e = new Error('x'); e.name = { toString() { throw e; } }; throw e; }",
    gives: { error: /cannot be read/ },
  },
  {
    name: "a huge message",
    program: "function f() { throw new Error('x'.repeat(5e5)); }",
    gives: { error: /^Error: x+…$/ },
  },
  {
    name: "a message of many lines",
    program: "function f() { throw new Error('a\\n\\r\\u2028b\\tc'); }",
    gives: { error: /^Error: a b c$/ },
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
    name: "a promise that waits for itself",
    program: "function f() { const p = Promise.resolve().then(() => p); return p; }",
    gives: { error: /TypeError|never settles/ },
  },
  {
    name: "promises that nobody waits for",
    program:
      "function f() { for (let i = 0; i < 1e4; i++) Promise.reject(new Error('lost')); return 1; }",
    gives: { value: 1 },
  },
  {
    name: "a timer",
    program: "function f() { return new Promise((done) => setTimeout(done, 1e9)); }",
    gives: { error: /ReferenceError.*setTimeout/ },
  },
  {
    name: "a callback for when memory is cleared",
    program: "function f() { new FinalizationRegistry(() => { for (;;); }).register({}, 1); }",
    gives: NOTHING,
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
    name: "a name of a tool that is not a text",
    program: "async function f() { return await callTool({ toString() { return 'echo'; } }); }",
    gives: { error: /needs the id of a tool as a text/ },
  },
  {
    name: "a huge name of a tool",
    program: "async function f() { return await callTool('x'.repeat(1e6)); }",
    gives: { error: /^Error: x{200} is refused$/ },
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
    name: "a getter in the arguments of a tool",
    program: "async function f() { return await callTool('echo', { get a() { for (;;); } }); }",
    gives: TIME,
  },
  {
    name: "arguments of a tool that contain themselves",
    program: "async function f() { const a = {}; a.a = a; return await callTool('echo', a); }",
    gives: { error: /refers back/ },
  },
  {
    name: "overwriting callTool",
    program: `async function f() {
      const mine = callTool;
      globalThis.callTool = () => "mine";
      return [callTool("echo"), await mine("echo", { a: 1 })];
    }`,
    gives: { value: ["mine", { a: 1 }] },
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
  {
    name: "going on without waiting for a tool",
    program: "function f() { callTool('slow'); return 1; }",
    gives: { value: 1 },
  },
  {
    name: "computing for ever between calls of tools",
    program: "async function f() { for (;;) await callTool('echo', {}).catch(() => 1); }",
    gives: TIME,
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
