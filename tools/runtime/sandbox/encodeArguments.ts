/**
 * Arguments on their way into the sandbox. JSON has neither `undefined`, which makes a parameter take its
 * default, nor dates; both are listed by their places.
 */
export interface EncodedArguments {
  values: unknown[];
  /** Indexes of missing arguments. */
  absent: number[];
  /** Paths, from `values` down, of ISO texts that stand for dates. */
  dates: (string | number)[][];
}

/** The arguments of a call as JSON text. */
export function encodeArguments(args: readonly unknown[]): string {
  const encoded: EncodedArguments = {
    values: [...args],
    absent: args.flatMap((value, index) => (value === undefined ? [index] : [])),
    dates: datePlaces(args),
  };
  return JSON.stringify(encoded);
}

function datePlaces(value: unknown): (string | number)[][] {
  if (value instanceof Date) return [[]];
  if (typeof value !== "object" || value === null) return [];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(value);
  return entries.flatMap(([step, inner]) => datePlaces(inner).map((place) => [step, ...place]));
}
