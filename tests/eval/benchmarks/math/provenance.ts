/** Numbers that belong to a way of solving: nothing, one, halves and squares, percent. */
const STRUCTURAL = [0, 1, 2, 100];

const NUMBER_WORDS: Record<string, number> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  cube: 3,
  quarterly: 4,
  monthly: 12,
};

/**
 * The numbers that a call of a task may use: structural constants; those in the task's text, up to
 * their sign, in digits, in words or, before "%" or "percent", as a fraction, too; and all numbers
 * in the results of earlier calls.
 */
export function usableNumbers(query: string, earlier: unknown[]): number[] {
  const written = [...STRUCTURAL, ...numbersInWords(query), ...numbersInDigits(query)];
  return [...written, ...written.map((number) => -number), ...numbersIn(earlier)];
}

/** All numbers in a JSON value, at any depth. */
export function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(numbersIn);
}

/** Whether a number is among others, except for rounding. */
export function includesNumber(numbers: readonly number[], wanted: number): boolean {
  return numbers.some(
    (number) => Math.abs(number - wanted) <= 1e-12 * Math.max(Math.abs(number), Math.abs(wanted)),
  );
}

function numbersInDigits(query: string): number[] {
  const found = query.matchAll(
    /(?<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?<percent> ?(?:%|percent))?/g,
  );
  return [...found].flatMap(({ groups }) => {
    const number = Number(groups?.["digits"]?.replaceAll(",", ""));
    return groups?.["percent"] === undefined ? [number] : [number, number / 100];
  });
}

function numbersInWords(query: string): number[] {
  const words: string[] = query.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.flatMap((word) => NUMBER_WORDS[word] ?? []);
}
