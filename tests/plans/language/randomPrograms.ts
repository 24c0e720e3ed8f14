/** Writes programs by chance that JavaScript runs as well: typed, without null in texts and without NaN. */
export function randomProgram(seed: number): string {
  return new Writer(seed).program();
}

type Kind =
  | ("number" | "text" | "truth" | "numbers" | "records" | "record" | "table" | "group")
  | "big";

interface Name {
  name: string;
  kind: Kind;
  isConst: boolean;
}

/** Where a statement stands: what may be written there. */
interface Where {
  depth: number;
  isLoop: boolean;
  isTry: boolean;
  /** Items that are begun at once only read. */
  isAtOnce: boolean;
}

const KINDS: Kind[] = [
  ...(["number", "text", "truth", "numbers", "records", "record", "table", "group"] as const),
  "big",
];

/** How a value is told, where JSON would lose it. */
const TOLD: Partial<Record<Kind, (name: string) => string>> = {
  table: (name) => `[...${name}]`,
  group: (name) => `[...${name}]`,
  big: (name) => `String(${name})`,
};

class Writer {
  private names: Name[] = [];
  private functions: { name: string; writes: boolean; isRecursive: boolean }[] = [];
  private count = 0;

  /** Whether it logs its answer. */
  private readonly isLogging: boolean;

  constructor(private seed: number) {
    this.isLogging = this.chance(20);
  }

  program(): string {
    const where = { depth: 0, isLoop: false, isTry: false, isAtOnce: false };
    const functions = Array.from({ length: this.below(3) }, () => this.ownFunction(where)).flat();
    const lines = [...functions, ...this.statements(4 + this.below(6), where)];
    const shown = this.names.map(({ name, kind }) => TOLD[kind]?.(name) ?? name).join(", ");
    const told = `JSON.stringify([${shown}])`;
    const end = this.isLogging ? `console.log("All:", ${told});` : `return ${told};`;
    return [...lines, end].join("\n");
  }

  private below(limit: number): number {
    // Numbers of Park and Miller: the same program for the same seed.
    this.seed = (((Math.abs(this.seed) % 2_147_483_646) + 1) * 48_271) % 2_147_483_647;
    return this.seed % limit;
  }

  private one<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }

  private chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  private statements(count: number, where: Where): string[] {
    return Array.from({ length: count }, () => this.statement(where)).flat();
  }

  /** Names of a block are not known behind it. */
  private block(where: Where): string[] {
    const { length } = this.names;
    const lines = this.statements(1 + this.below(3), { ...where, depth: where.depth + 1 });
    this.names.length = length;
    return lines;
  }

  private statement(where: Where): string[] {
    const { depth, isLoop, isTry, isAtOnce } = where;
    const can: (() => string[])[] = [
      () => this.declare(),
      () => this.declare(),
      () => this.assign(),
      () => this.change(),
      () => this.change(),
      () => this.read(),
      () => this.read(),
      () => this.takeApart(),
    ];
    if (this.isLogging) can.push(() => [`console.log("At", ${this.value("text", 1)});`]);
    if (!isAtOnce)
      can.push(
        () => [this.write()],
        () => this.written(),
      );
    const callable = this.functions.filter(({ writes }) => !writes || !isAtOnce);
    if (callable.length > 0)
      can.push(() => this.callOwn(callable[this.below(callable.length)]?.name ?? ""));
    if (isTry) {
      can.push(() => [
        `if (${this.value("truth", 1)}) { throw new ${this.one(["Error", "RangeError"])}(${this.value("text", 1)}); }`,
      ]);
    }
    if (isTry) can.push(() => [`await risky({ k: ${this.value("number", 1)} });`]);
    if (isLoop) can.push(() => [`if (${this.value("truth", 1)}) { continue; }`]);
    if (isLoop && this.chance(40)) can.push(() => [`if (${this.value("truth", 1)}) { break; }`]);
    if (depth < 3) {
      can.push(
        () => this.branch(where),
        () => this.loop(where),
        () => this.counted(where),
        () => this.choice(where),
        () => this.attempt(where),
      );
    }
    if (depth < 2) can.push(() => this.together(where));
    if (depth < 2 && !isAtOnce && this.chance(15)) {
      can.push(() => [`if (${this.value("truth", 1)}) { return ${this.value("text", 1)} + "!"; }`]);
    }
    return can[this.below(can.length)]?.() ?? [];
  }

  private declare(): string[] {
    const kind = KINDS[this.below(KINDS.length)] ?? "number";
    const value = this.value(kind, 2);
    const isConst = this.chance(50);
    return [`${isConst ? "const" : "let"} ${this.name(kind, isConst)} = ${value};`];
  }

  private assign(): string[] {
    const free = this.names.filter(({ isConst }) => !isConst);
    const to = free[this.below(Math.max(1, free.length))];
    if (!to) return this.declare();
    if (to.kind === "numbers" && this.chance(50)) {
      return [`${to.name}.push(${this.value("number", 1)});`];
    }
    if (to.kind === "number" && this.chance(50))
      return [`${to.name} += ${this.value("number", 1)};`];
    return [`${to.name} = ${this.value(to.kind, 2)};`];
  }

  /** Changes a value that other names may have, too. */
  private change(): string[] {
    const known = this.names.filter(
      ({ kind }) => !["number", "text", "truth", "big"].includes(kind),
    );
    const to = known[this.below(Math.max(1, known.length))];
    if (!to) return this.declare();
    const { name } = to;
    const number = () => this.value("number", 1);
    const text = () => this.value("text", 1);
    const changes: Partial<Record<Kind, (() => string)[]>> = {
      numbers: [
        () => `${name}.push(${number()});`,
        () => `${name}.unshift(${number()}, ${number()});`,
        () => `${name}.pop();`,
        () => `${name}.splice(${this.below(3)}, 1);`,
        () => `${name}.sort((a, b) => a - b);`,
        () => `${name}.reverse();`,
        () => `if (${name}.length > 0) ${name}[0] = ${number()};`,
        () => `if (${name}.length > 1) ${name}[1] += ${number()};`,
      ],
      records: [
        () => `${name}.push(${this.value("record", 1)});`,
        () => `${name}.forEach((one) => { one.n = ${number()}; });`,
        () => `for (const one of ${name}) one.name += ${text()};`,
        () => `${name}.sort((a, b) => a.n - b.n);`,
      ],
      record: [
        () => `${name}.n = ${number()};`,
        () => `${name}.name ||= ${text()};`,
        () => `${name}["n"] -= ${number()};`,
        () => `${name}.n++;`,
        () => `Object.assign(${name}, { open: ${this.value("truth", 1)} });`,
      ],
      table: [
        () => `${name}.set(${text()}, ${number()});`,
        () => `${name}.set(${text()}, (${name}.get(${text()}) ?? 0) + 1);`,
        () => `${name}.delete(${text()});`,
      ],
      group: [() => `${name}.add(${number()});`, () => `${name}.delete(${number()});`],
    };
    const made = changes[to.kind] ?? [];
    return [made[this.below(made.length)]?.() ?? ""];
  }

  private takeApart(): string[] {
    if (this.chance(50)) {
      const from = this.value("record", 1);
      const [number, text] = [this.name("number", true), this.name("text", true)];
      return [`const { n: ${number}, name: ${text} = "none" } = ${from};`];
    }
    const from = this.value("numbers", 1);
    const [first, rest] = [this.name("number", true), this.name("numbers", true)];
    return [`const [${first} = 0, ...${rest}] = ${from};`];
  }

  private ownFunction(where: Where): string[] {
    const name = `f${(this.count += 1)}`;
    const before = this.names;
    const isRecursive = this.chance(40);
    this.names = [];
    const n = this.name("number", true);
    const body = this.statements(1 + this.below(2), { ...where, depth: 2, isAtOnce: true });
    const result = isRecursive
      ? `${n} > 2 || ${n} < 0 ? ${this.value("number", 1)} : ${n} + (await ${name}(${n} + 1))`
      : this.value("number", 2);
    this.names = before;
    this.functions.push({ name, writes: false, isRecursive });
    const head = this.chance(50)
      ? `async function ${name}(${n} = 1) {`
      : `const ${name} = async (${n} = 1) => {`;
    return [head, ...body, `return ${result};`, "};"];
  }

  private callOwn(fn: string): string[] {
    const call = `await ${fn}(${this.chance(20) ? "" : this.value("number", 1)})`;
    return [`const ${this.name("number", true)} = ${call};`];
  }

  /** `for (;;)`, `while` and `do … while`, which a label may leave. */
  private counted(where: Where): string[] {
    const { length } = this.names;
    const most = 1 + this.below(4);
    const i = this.name("number", true);
    const label = `l${this.count}`;
    const body = this.block({ ...where, isLoop: true });
    const leave = this.chance(30) ? [`if (${this.value("truth", 1)}) break ${label};`] : [];
    this.names.length = length;
    const lines = [...body, ...leave, "}"];
    return this.one([
      () => [`${label}: for (let ${i} = 0; ${i} < ${most}; ${i}++) {`, ...lines],
      () => [`let ${i} = 0;`, `${label}: while (${i} < ${most}) {`, `${i} += 1;`, ...lines],
      () => [
        `let ${i} = 0;`,
        `${label}: do {`,
        `${i}++;`,
        ...lines.slice(0, -1),
        `} while (${i} < ${most});`,
      ],
    ])();
  }

  private choice(where: Where): string[] {
    const value = this.value("number", 1);
    const inner = { ...where, isLoop: false };
    const cases = Array.from({ length: 1 + this.below(3) }, (_, at) => [
      `case ${at + this.below(3) * 3}: {`,
      ...this.block(inner),
      this.chance(70) ? "break; }" : "}",
    ]);
    return [`switch (${value}) {`, ...cases.flat(), "default: {", ...this.block(inner), "} }"];
  }

  private read(): string[] {
    const kind = this.one<Kind>(["record", "records", "number"]);
    const tool = { record: "get", records: "list", number: "rate" }[kind as "record"];
    const call = `await ${tool}({ k: ${this.value("number", 1)}, s: ${this.value("text", 1)} })`;
    return [`const ${this.name(kind, true)} = ${call};`];
  }

  private write(): string {
    return `await close({ id: ${this.value("number", 2)}, note: ${this.value("text", 2)} });`;
  }

  private written(): string[] {
    const call = `await create({ title: ${this.value("text", 1)}, n: ${this.value("number", 1)} })`;
    return [`const ${this.name("record", true)} = ${call};`];
  }

  private branch(where: Where): string[] {
    const test = this.value("truth", 2);
    const then = this.block(where);
    const otherwise = this.chance(40) ? ["} else {", ...this.block(where)] : [];
    return [`if (${test}) {`, ...then, ...otherwise, "}"];
  }

  private loop(where: Where): string[] {
    const kind = this.one<Kind>(["numbers", "records"]);
    const list = this.value(kind, 1);
    const { length } = this.names;
    const item = this.name(kind === "numbers" ? "number" : "record", true);
    const body = this.block({ ...where, isLoop: true });
    this.names.length = length;
    // Of a copy: the body may add to the list, and QuickJS has no end of steps.
    return [`for (const ${item} of [...${list}]) {`, ...body, "}"];
  }

  private attempt(where: Where): string[] {
    const body = this.block({ ...where, isTry: true });
    const { length } = this.names;
    const error = `e${(this.count += 1)}`;
    const rescue = this.block({ ...where, isTry: false });
    this.names.length = length;
    const told = this.names.find(({ kind, isConst }) => kind === "text" && !isConst);
    const lines = told ? [`${told.name} = ${error}.message;`] : [];
    const last = this.chance(30) ? ["} finally {", ...this.block({ ...where, isTry: false })] : [];
    return ["try {", ...body, `} catch (${error}) {`, ...lines, ...rescue, ...last, "}"];
  }

  private together(where: Where): string[] {
    const list = this.value("records", 1);
    const before = this.names;
    // What items that wait for each other set in turns depends on who waits how long: they set nothing of others.
    this.names = before
      .filter(({ kind }) => ["number", "text", "truth"].includes(kind))
      .map((name) => ({ ...name, isConst: true }));
    const item = this.name("record", true);
    const body = this.block({ ...where, isLoop: false, isTry: false, isAtOnce: true });
    const result = this.value("number", 2);
    this.names = before;
    const name = this.name("numbers", true);
    return [
      `const ${name} = await Promise.all(${list}.map(async (${item}) => {`,
      ...body,
      `return ${result};`,
      "}));",
    ];
  }

  private name(kind: Kind, isConst: boolean): string {
    const name = `v${(this.count += 1)}`;
    this.names.push({ name, kind, isConst });
    return name;
  }

  private known(kind: Kind): string | undefined {
    const known = this.names.filter((one) => one.kind === kind);
    return known[this.below(Math.max(1, known.length))]?.name;
  }

  private value(kind: Kind, depth: number): string {
    const known = this.known(kind);
    if (known && (depth <= 0 || this.chance(35))) return known;
    if (depth <= 0) return this.literal(kind);
    return this.composed(kind, depth - 1);
  }

  private literal(kind: Kind): string {
    const n = this.below(9);
    return {
      number: `${n}`,
      text: `"t${n}"`,
      truth: n > 4 ? "true" : "false",
      numbers: `[${n}, ${n + 2}, 1]`,
      records: `[{ id: ${n}, name: "n${n}", n: 2, open: true }, { id: 1, name: "b", n: ${n}, open: false }]`,
      record: `{ id: ${n}, name: "r${n}", n: ${n}, open: ${n % 2 === 0} }`,
      table: `new Map([["t${n}", ${n}], ["b", 2]])`,
      group: `new Set([${n}, ${n + 2}, 1])`,
      big: `${n}n`,
    }[kind];
  }

  private composed(kind: Kind, depth: number): string {
    const of = (kind: Kind) => this.value(kind, depth);
    const item = `i${(this.count += 1)}`;
    const records = () => of("records");
    const choices: Record<Kind, (() => string)[]> = {
      number: [
        () => `(${of("number")} + ${of("number")})`,
        () => `(${of("number")} - ${of("number")})`,
        () => `${of("record")}.n`,
        () => `${records()}.filter((${item}) => ${item}.n > ${of("number")}).length`,
        () => `(${records()}.find((${item}) => ${item}.open)?.id ?? ${of("number")})`,
        () => `${of("numbers")}.reduce((a, b) => a + b, ${of("number")})`,
        () => `(${of("numbers")}[${this.below(4)}] ?? 7)`,
        () => `(${of("table")}.get(${of("text")}) ?? ${of("number")})`,
        () => `${of("group")}.size`,
        () => `(${of("number")} & 7)`,
        () => `(${of("text")}.match(/\\d+/g) ?? []).length`,
        () => `Object.keys(Object.groupBy(${records()}, (${item}) => ${item}.name)).length`,
        () => `Number(${of("big")} % 97n)`,
      ],
      big: [
        () => `(${of("big")} + ${of("big")})`,
        () => `(${of("big")} * 7n - ${of("big")})`,
        () => `${of("big")} % 5n ** 9n`,
        () => `(${of("big")} & ~${of("big")})`,
        () => `BigInt(${of("number")})`,
        () => `BigInt(${of("numbers")}.length) / 2n`,
      ],
      table: [
        () => `new Map(${records()}.map((${item}) => [${item}.name, ${item}.n]))`,
        () => `new Map([...${of("table")}].filter(([, value]) => value > ${of("number")}))`,
      ],
      group: [
        () => `new Set(${of("numbers")})`,
        () => `new Set([...${of("group")}].map((${item}) => ${item} % 3))`,
      ],
      text: [
        () => `\`\${${of("text")}}-\${${of("number")}}\``,
        () => `${of("record")}.name`,
        () => `${of("text")}.slice(0, 6).toUpperCase()`,
        () => `${records()}.map((${item}) => ${item}.name).join()`,
        () => `${of("text")}.replace(/[a-m](\\d?)/g, "$1_")`,
        () => `${of("text")}.split(/[-_,]/).at(-1)`,
        () => `String(${of("number")}).padStart(3, "0")`,
        () => `${of("big")}.toString(16)`,
        () =>
          `JSON.stringify(${of("record")}, (${item}, v) => (typeof v === "number" ? v + 1 : v))`,
      ],
      truth: [
        () => `${of("number")} > ${of("number")}`,
        () => `${of("big")} >= ${of("big")}`,
        () => `${of("text")} === ${of("text")}`,
        () => `(${of("truth")} && ${of("truth")})`,
        () => `(${of("truth")} || ${of("truth")})`,
        () => `${of("record")}.open`,
        () => `${records()}.some((${item}) => ${item}.n === ${of("number")})`,
        () => `${of("numbers")}.includes(${of("number")})`,
      ],
      numbers: [
        () => `[${of("number")}, ...${of("numbers")}].slice(0, 5)`,
        () => `${records()}.map((${item}) => ${item}.n + ${of("number")})`,
        () => `${of("numbers")}.filter((${item}) => ${item} > ${of("number")})`,
        () => `${of("numbers")}.toSorted((a, b) => b - a)`,
        () => `[...${of("group")}]`,
        () => `new Array(2).concat(${of("numbers")}).filter((${item}) => ${item} !== 1)`,
        () => `Array.from({ length: ${this.below(4)} }, (_, ${item}) => ${item} * 2)`,
        () => `${records()}.flatMap((${item}) => [${item}.id, ${item}.n])`,
      ],
      records: [
        () => `${records()}.filter((${item}) => ${item}.open)`,
        () => `${records()}.toSorted((a, b) => a.n - b.n)`,
        () => `${records()}.map((${item}) => ({ ...${item}, n: ${of("number")} }))`,
        () => `${records()}.toReversed()`,
      ],
      record: [
        () => `{ ...${of("record")}, n: ${of("number")} }`,
        () => `(${records()}[0] ?? ${of("record")})`,
        () => `structuredClone(${of("record")})`,
        () =>
          `JSON.parse(JSON.stringify(${of("record")}), (${item}, v) => (${item} === "n" ? v + 1 : v))`,
      ],
    };
    const made = choices[kind];
    const text = made[this.below(made.length)]?.() ?? this.literal(kind);
    return text.startsWith("{") ? `(${text})` : text;
  }
}
