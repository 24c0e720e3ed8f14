/** The text before a bomb's function, the type of its parameter, and its body. */
interface BombParts {
  types?: string[];
  parameter?: string;
  result?: string;
  body?: string;
}

const times = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at));

/** A draft that follows all rules, around something hostile. */
function draft({
  types = [],
  parameter = "number",
  result = "number",
  body = "return 1;",
}: BombParts): string {
  return `${types.join("\n")}
/**
 * Does something with a value.
 * @param value The value.
 * @returns a number
 * @example hostile(1) => 1
 * @example hostile(2) => 1
 */
export function hostile(value: ${parameter}): ${result} {
  ${body}
}`;
}

const doubling = (count: number, double: (before: string) => string, first = "string") => [
  `type T0 = ${first};`,
  ...times(count, (at) => `type T${at + 1} = ${double(`T${at}`)};`),
];

const nested = (count: number, open: string, inner: string, close: string) =>
  draft({ body: `const x = ${open.repeat(count)}${inner}${close.repeat(count)}; return 1;` });

/** Drafts that keep a compiler or a parser busy, fill its memory or exhaust its stack, by name. */
export const TYPE_BOMBS: readonly (readonly [name: string, reply: string])[] = [
  // Types that grow.
  [
    "objects that double",
    draft({ types: doubling(20, (t) => `{ a: ${t}; b: ${t} }`), parameter: "T20" }),
  ],
  [
    "a result that doubles",
    draft({ types: doubling(20, (t) => `{ a: ${t}; b: ${t} }`), result: "T20" }),
  ],
  ["tuples that double", draft({ types: doubling(18, (t) => `[${t}, ${t}]`), parameter: "T18" })],
  [
    "tuples spread twice",
    draft({ types: doubling(22, (t) => `[...${t}, ...${t}]`, "[1, 2]"), parameter: "T22" }),
  ],
  [
    "arrays of unions that double",
    draft({ types: doubling(20, (t) => `(${t} | { a: ${t} })[]`), parameter: "T20" }),
  ],
  [
    "records that double",
    draft({ types: doubling(20, (t) => `Record<string, { a: ${t}; b: ${t} }>`), parameter: "T20" }),
  ],
  [
    "intersections of unions",
    draft({
      types: [`type T = ${times(40, (at) => `({ a${at}: 1 } | { b${at}: 2 })`).join(" & ")};`],
      parameter: "T",
    }),
  ],
  [
    "a product of literals in a tuple that is compared",
    draft({
      types: [
        "type B = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;",
        `type P = [${times(12, () => "B").join(", ")}];`,
      ],
      parameter: "P",
      body: "const other: { [K in 0]: P }[0] = value; return 1;",
    }),
  ],
  [
    "a generic that grows with each level",
    draft({
      types: ["interface G<T> { a: G<[T, T]>; b: G<{ t: T }>; c: G<T[]> }"],
      parameter: "G<string>",
    }),
  ],
  [
    "two growing generics that are compared",
    draft({
      types: [
        "interface G<T> { a: G<G<T>>; b: G<[T, G<T>]>; v: T }",
        "interface H<T> { a: H<H<T>>; b: H<[T, H<T>]>; v: T }",
      ],
      parameter: "G<string>",
      body: "const other: H<string> = value; const back: G<string> = other; return 1;",
    }),
  ],
  [
    "aliases whose arguments double",
    draft({
      types: doubling(60, (t) => `D<${t}>`, "D<0>").toSpliced(
        0,
        0,
        "type D<A> = [A, A] | { a: A; b: A };",
      ),
      parameter: "T60",
    }),
  ],
  [
    "utility types upon utility types",
    draft({
      types: doubling(
        30,
        (t) => `Partial<Required<Readonly<${t}>>> | Pick<Required<${t}>, keyof ${t}>`,
        "{ a: 1 }",
      ),
      parameter: "T30",
    }),
  ],
  [
    "excluded members of a large union",
    draft({
      types: [
        `type U = ${times(900, (at) => `"k${at}"`).join(" | ")};`,
        ...times(12, (at) => `type E${at} = Exclude<Record<U, U>[U], "k${at}">;`),
      ],
      parameter: `Record<U, Record<U, E1 | E2>>`,
    }),
  ],
  // Types computed from types.
  [
    "a conditional type without end",
    draft({
      types: ["type L<T extends unknown[]> = T extends [] ? never : L<[...T, 0]>;"],
      parameter: "L<[1]>",
    }),
  ],
  [
    "a union that is distributed over and over",
    draft({
      types: [
        "type B = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;",
        "type X<T, U> = T extends unknown ? (U extends unknown ? [T, U] : never) : never;",
      ],
      parameter: "X<X<X<B, B>, X<B, B>>, X<X<B, B>, B>>",
    }),
  ],
  [
    "a product of template literals",
    draft({
      types: [
        "type C = 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h';",
        "type S = `${C}${C}${C}${C}${C}${C}`;",
      ],
      parameter: "S",
    }),
  ],
  [
    "mapped types of mapped types",
    draft({
      types: ["type M<T> = { [K in keyof T]: M<{ [J in keyof T]: T }> };"],
      parameter: "M<{ a: 1; b: 2; c: 3 }>",
    }),
  ],
  // Values whose types must be inferred.
  [
    "functions in calls of overloads",
    draft({
      body: `const f = (a: (x: number) => number): number => a(1); return ${"[1].map((a) => ".repeat(14)}1${")".repeat(14)}.length;`,
    }),
  ],
  [
    "generic calls in generic calls",
    draft({
      body: `const p = <A, B>(a: A, b: B) => ({ a, b, c: [a, b] as [A, B] }); ${times(
        26,
        (at) => `const v${at + 1} = p(v${at}, v${at});`,
      )
        .toSpliced(0, 0, "const v0 = 1;")
        .join(" ")} const w: typeof v26 = v26; return 1;`,
    }),
  ],
  [
    "variables that depend on each other in loops",
    draft({
      body: `let a: unknown = 1; ${times(60, (at) => `let x${at};`).join("")} for (;;) { ${times(60, (at) => `x${at} = [x${(at + 1) % 60}, x${(at + 7) % 60}, a];`).join("")} if (a) break; } return 1;`,
    }),
  ],
  [
    "conditions upon conditions on one variable",
    draft({
      body: `let x: string | number | boolean | null = null as never; ${times(400, (at) => `if (typeof x === "string" || ${at} > 3) x = x ?? ${at};`).join("\n")} return 1;`,
    }),
  ],
  ["a sum of texts", draft({ body: `return (${times(2_500, () => '"ab"').join(" + ")}).length;` })],
  [
    "a type with many members",
    draft({
      types: [`type U = ${times(2_400, (at) => String(at * 7)).join(" | ")};`],
      parameter: "U",
    }),
  ],
  // Texts that are hard to parse.
  ["brackets", nested(4_000, "[", "", "]")],
  ["parentheses", nested(4_000, "(", "1", ")")],
  ["objects", nested(3_000, "{ a: ", "1", " }")],
  ["arrow functions", nested(3_000, "() => ", "1", "")],
  ["conditions", nested(2_500, "x ? 1 : ", "1", "")],
  ["templates", nested(2_500, "`${", "1", "}`")],
  ["signs", nested(6_000, "- ", "1", "")],
  ["brackets of types", draft({ parameter: `${"[".repeat(4_000)}1${"]".repeat(4_000)}` })],
  ["an endless identifier", draft({ body: `const ${"a".repeat(1_000_000)} = 1; return 1;` })],
  ["a reply without end", "a ( [ { < `".repeat(200_000)],
  [
    "a pattern that backtracks",
    draft({ body: `return ${"/".repeat(1)}(a+)+${"(b*)*".repeat(2_000)}c/.test("a") ? 1 : 0;` }),
  ],
  ["escapes", draft({ body: `const ${"\\u0061".repeat(2_500)} = 1; return 1;` })],
  ["fences in fences", `${"```ts\n".repeat(8_000)}${draft({})}`],
  ["starts of code in prose", "export function f(\n".repeat(8_000)],
];
