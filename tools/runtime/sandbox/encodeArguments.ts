/**
 * Arguments on their way into the sandbox. JSON knows neither `undefined`, which makes a parameter take
 * its default, nor dates, which a declared `Date` is; both are named by their places.
 */
export interface EncodedArguments {
  values: unknown[];
  /** Indexes of the arguments that are left out. */
  absent: number[];
  /** Where ISO texts stand for dates: the steps from `values` down. */
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
