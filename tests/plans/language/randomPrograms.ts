/** Writes programs by chance that JavaScript runs as well: typed, without null in texts and without NaN. */
export function randomProgram(seed: number): string {
  return new Writer(seed).program();
}

type Kind = "number" | "text" | "truth" | "numbers" | "records" | "record";

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

const KINDS: Kind[] = ["number", "text", "truth", "numbers", "records", "record"];

class Writer {
  private names: Name[] = [];
  private count = 0;

  constructor(private seed: number) {}

  program(): string {
    const lines = this.statements(4 + this.below(6), {
      depth: 0,
      isLoop: false,
      isTry: false,
      isAtOnce: false,
    });
    const shown = this.names.map(({ name }) => name).join(", ");
    return [...lines, `return JSON.stringify([${shown}]);`].join("\n");
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
      () => this.read(),
      () => this.read(),
    ];
    if (!isAtOnce)
      can.push(
        () => [this.write()],
        () => this.written(),
      );
    if (isTry) can.push(() => [`await risky({ k: ${this.value("number", 1)} });`]);
    if (isLoop) can.push(() => [`if (${this.value("truth", 1)}) { continue; }`]);
    if (isLoop && this.chance(40)) can.push(() => [`if (${this.value("truth", 1)}) { break; }`]);
    if (depth < 3) {
      can.push(
        () => this.branch(where),
        () => this.loop(where),
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
    return [`for (const ${item} of ${list}) {`, ...body, "}"];
  }

  private attempt(where: Where): string[] {
    const body = this.block({ ...where, isTry: true });
    const { length } = this.names;
    const error = `e${(this.count += 1)}`;
    const rescue = this.block({ ...where, isTry: false });
    this.names.length = length;
    const told = this.names.find(({ kind, isConst }) => kind === "text" && !isConst);
    const lines = told ? [`${told.name} = ${error}.message;`] : [];
    return ["try {", ...body, `} catch (${error}) {`, ...lines, ...rescue, "}"];
  }

  private together(where: Where): string[] {
    const list = this.value("records", 1);
    const before = this.names;
    // What items that wait for each other set in turns depends on who waits how long: they set nothing of others.
    this.names = before.map((name) => ({ ...name, isConst: true }));
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
      ],
      text: [
        () => `\`\${${of("text")}}-\${${of("number")}}\``,
        () => `${of("record")}.name`,
        () => `${of("text")}.slice(0, 6).toUpperCase()`,
        () => `${records()}.map((${item}) => ${item}.name).join()`,
      ],
      truth: [
        () => `${of("number")} > ${of("number")}`,
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
      ],
    };
    const made = choices[kind];
    const text = made[this.below(made.length)]?.() ?? this.literal(kind);
    return text.startsWith("{") ? `(${text})` : text;
  }
}
