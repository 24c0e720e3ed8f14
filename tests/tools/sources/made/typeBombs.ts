/** The text before a bomb's function, the type of its parameter, and its body. */
interface BombParts {
  types?: string[];
  parameter?: string;
  body?: string;
}

const times = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at));

/** A draft that follows all rules, around something hostile. */
function draft({ types = [], parameter = "number", body = "return 1;" }: BombParts): string {
  return `${types.join("\n")}
/**
 * Does something with a value.
 * @param value The value.
 * @returns a number
 * @example hostile(1) => 1
 * @example hostile(2) => 1
 */
export function hostile(value: ${parameter}): number {
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
  [
    "objects that double",
    draft({ types: doubling(20, (t) => `{ a: ${t}; b: ${t} }`), parameter: "T20" }),
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
    "a conditional type without end",
    draft({
      types: ["type L<T extends unknown[]> = T extends [] ? never : L<[...T, 0]>;"],
      parameter: "L<[1]>",
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
    "functions in calls of overloads",
    draft({
      body: `const f = (a: (x: number) => number): number => a(1); return ${"[1].map((a) => ".repeat(14)}1${")".repeat(14)}.length;`,
    }),
  ],
  ["brackets", nested(4_000, "[", "", "]")],
  ["an endless identifier", draft({ body: `const ${"a".repeat(1_000_000)} = 1; return 1;` })],
  ["a reply without end", "a ( [ { < `".repeat(200_000)],
  ["fences in fences", `${"```ts\n".repeat(8_000)}${draft({})}`],
  ["starts of code in prose", "export function f(\n".repeat(8_000)],
];
