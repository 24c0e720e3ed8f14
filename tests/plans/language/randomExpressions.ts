import { HELPERS, METHODS } from "../../../plans/language/language.js";

/** What expressions are made of, by kind; each is JavaScript. */
const VALUES = {
  number: ["0", "1", "2", "10", "-3", "0.5", "1.005", "100", "1e21", "0.1 + 0.2", "1 / 3", "NaN"],
  text: ['""', '"a"', '"b"', '"B"', '"10"', '"9"', '"é"', '"a,b"', '"2026-03-01"', '"1,2"'],
  truth: ["true", "false"],
  nothing: ["null", "undefined"],
  list: [
    "[]",
    "[5, 1, 10]",
    "[3, 2, 1]",
    '["b", "a", "B"]',
    "[true, false]",
    "[[1, 2], [3]]",
    '[1, "a", null, true]',
    "[undefined, 1]",
    '["10", 9, "1"]',
    "[{ a: 1 }, { a: 2 }]",
    '[["a", 1], ["b", 2]]',
    '[new Date("2026-03-02"), new Date("2026-03-01")]',
  ],
  object: ["{}", '{ a: 1, b: "x" }', "{ 2: 1, 1: 2 }", "{ a: [1, 2], b: null }", "{ length: 2 }"],
  date: ['new Date("2026-03-01")', 'new Date("2026-03-02T10:30:00Z")', "new Date(0)"],
  map: ['new Map([["a", 1], ["b", 2]])', "new Map([[1, null]])"],
  set: ["new Set([1, 2, 10])", 'new Set(["b", "a"])'],
  pattern: ["/a/", "/[ab]/g", "/(\\d)(\\d)?/"],
} as const;

type Kind = keyof typeof VALUES;

const KINDS = Object.keys(VALUES) as Kind[];

const FUNCTIONS = [
  "(x) => x",
  "(x) => x > 1",
  "(a, b) => a - b",
  "(a, b) => a > b",
  "(a, b) => a + b",
  "(x, i) => i",
  "(x) => [x, x]",
  "(x) => String(x)",
  "(x) => !x",
];

const BINARY = "+ - * / % ** == != === !== in && || ?? & | ^ << >>".split(" ");
const COMPARING = "< <= > >=".split(" ");
const UNARY = "! - + ~ typeof void".split(" ");
const CLASSES = "Array Date Map Set RegExp Object".split(" ");

/** What JavaScript does not have, gives later, or gives anew each time. */
const OWN =
  /^(?:daysBetween|addDays|sum|average|round|unique|groupBy|noFunctionNeeded|Date\.now|Promise\.\w+)$/;

/** What takes a function. */
const WORKING =
  /^(?:every|filter|find\w*|flatMap|forEach|map|reduce\w*|some|sort|toSorted|replace\w*|Array\.from|\w+\.groupBy)$/;

/** What gives one value after the other. */
const GIVING = /^(?:entries|keys|values|matchAll)$/;

/** Writes expressions by chance that JavaScript has a value for. */
export function randomExpression(seed: number): string {
  return new Writer(seed).expression(2);
}

class Writer {
  constructor(private seed: number) {}

  expression(depth: number): string {
    const forms: (() => string)[] = [
      () => this.method(depth),
      () => this.method(depth),
      () => this.method(depth),
      () => this.helper(depth),
      () => this.helper(depth),
      () => `(${this.value(depth)} ${this.one(BINARY)} ${this.value(depth)})`,
      () => `(${this.value(depth)} ${this.one(BINARY)} ${this.value(depth)})`,
      () => this.comparison(),
      () => `(${this.one(UNARY)} ${this.value(depth)})`,
      () => `\`<\${${this.value(depth)}}>\``,
      () => `${this.value(depth, "list")}.join(${this.one(["", '"-"', this.value(0)])})`,
      () => `String(${this.value(depth)})`,
      () => `JSON.stringify(${this.value(depth)}${this.one(["", ", null, 2"])})`,
      () => `(${this.value(depth)} instanceof ${this.one(CLASSES)})`,
      () => `(${this.value(depth)} ? "yes" : "no")`,
      () => `[...${this.value(depth, this.one(["list", "text", "set", "map"]))}]`,
      () => `${this.value(depth)}[${this.value(0)}]`,
    ];
    return this.one(forms)();
  }

  private value(depth: number, kind: Kind = this.one(KINDS)): string {
    if (depth > 0 && this.below(100) < 30) return this.expression(depth - 1);
    return `(${this.one(VALUES[kind])})`;
  }

  private comparison(): string {
    const kind = this.one(["number", "text", "truth", "date"] as const);
    return `(${this.value(0, kind)} ${this.one(COMPARING)} ${this.value(0, kind)})`;
  }

  private method(depth: number): string {
    const kind = this.one(["list", "text", "number", "date", "map", "set", "pattern"] as const);
    const name = this.one(Object.keys(METHODS[kind]));
    const call = `${this.value(depth, kind)}.${name}(${this.given(name, depth)})`;
    return GIVING.test(name) ? `[...${call}]` : call;
  }

  private helper(depth: number): string {
    const name = this.one(Object.keys(HELPERS).filter((one) => !OWN.test(one)));
    return `${name}(${this.given(name, depth)})`;
  }

  private given(name: string, depth: number): string {
    const isWorking = WORKING.test(name) && this.below(100) < 70;
    return Array.from({ length: this.below(4) }, (_, at) =>
      isWorking && at === (name.includes(".") || name.startsWith("rep") ? 1 : 0)
        ? this.one(FUNCTIONS)
        : this.value(depth),
    ).join(", ");
  }

  private below(limit: number): number {
    // Numbers of Park and Miller: the same expression for the same seed.
    this.seed = (((Math.abs(this.seed) % 2_147_483_646) + 1) * 48_271) % 2_147_483_647;
    return this.seed % limit;
  }

  private one<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}
