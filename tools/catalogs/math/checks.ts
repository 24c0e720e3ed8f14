/** Values by parameter name, as in `{ radius, height }`. */
type Named<Value> = Readonly<Record<string, Value>>;

/** Longest list that a function of this catalog takes, so that no call sorts or sums for long. */
const MAX_LIST_LENGTH = 100_000;

/** @throws TypeError where a value is not a number, NaN or infinite */
export function requireFinite(values: Named<number>): void {
  for (const [name, value] of Object.entries(values)) {
    if (!Number.isFinite(value)) {
      throw new TypeError(`${name} must be a finite number; got ${shown(value)}`);
    }
  }
}

/**
 * For lengths, areas, amounts of money and durations.
 *
 * @throws TypeError, RangeError where a value is not a finite number, or below zero
 */
export function requireNotNegative(values: Named<number>): void {
  requireEach(values, (value) => value >= 0, "must be 0 or more");
}

/** @throws TypeError, RangeError where a value is not a finite number, or zero or below */
export function requirePositive(values: Named<number>): void {
  requireEach(values, (value) => value > 0, "must be greater than 0");
}

/**
 * For divisors and leading coefficients.
 *
 * @throws TypeError, RangeError where a value is not a finite number, or zero
 */
export function requireNotZero(values: Named<number>): void {
  requireFinite(values);
  for (const [name, value] of Object.entries(values)) {
    if (value === 0) throw new RangeError(`${name} must not be 0`);
  }
}

/**
 * Without a range it is that of the integers which a double holds exactly, from -(2^53 - 1) to 2^53 - 1.
 *
 * @throws TypeError, RangeError where a value is not a finite number, has a fraction or is out of range
 */
export function requireWhole(
  values: Named<number>,
  {
    min = Number.MIN_SAFE_INTEGER,
    max = Number.MAX_SAFE_INTEGER,
  }: { min?: number; max?: number } = {},
): void {
  const isRight = (value: number) => Number.isInteger(value) && value >= min && value <= max;
  requireEach(values, isRight, `must be a whole number from ${min} to ${max}`);
}

/** @throws TypeError, RangeError where a list is none of finite numbers, or too short or too long */
export function requireNumbers(
  lists: Named<readonly number[]>,
  { minLength = 1 }: { minLength?: number } = {},
): void {
  for (const [name, list] of Object.entries(lists)) {
    if (!Array.isArray(list)) {
      throw new TypeError(`${name} must be a list of numbers; got ${shown(list)}`);
    }
    if (list.length < minLength || list.length > MAX_LIST_LENGTH) {
      const wanted = `${minLength} to ${MAX_LIST_LENGTH} numbers`;
      throw new RangeError(`${name} must hold ${wanted}; got ${list.length}`);
    }
    requireFinite(byPlace(name, list));
  }
}

/** The numbers of a list by their places: `numbers[2]`. */
export function byPlace(name: string, list: readonly number[]): Named<number> {
  return Object.fromEntries(list.map((value, index) => [`${name}[${index}]`, value]));
}

function requireEach(
  values: Named<number>,
  isRight: (value: number) => boolean,
  wanted: string,
): void {
  requireFinite(values);
  for (const [name, value] of Object.entries(values)) {
    if (!isRight(value)) throw new RangeError(`${name} ${wanted}; got ${value}`);
  }
}

/**
 * The result of a floating-point calculation. A negative zero becomes zero: nobody asks for `-0`.
 *
 * @throws RangeError where the result is too large for a double; JSON has no word for infinity
 */
export function finiteResult(value: number): number {
  if (!Number.isFinite(value)) {
    throw new RangeError(`the result is too large: beyond ${Number.MAX_VALUE}`);
  }
  return value === 0 ? 0 : value;
}

/**
 * The result of an exact calculation with integers.
 *
 * @throws RangeError where a double cannot hold the integer exactly
 */
export function exactResult(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER) || value < BigInt(Number.MIN_SAFE_INTEGER)) {
    throw new RangeError(
      `the result is too large to be exact: beyond ${Number.MAX_SAFE_INTEGER} (2^53 - 1)`,
    );
  }
  return Number(value);
}

/** Most characters of an invalid value that a message repeats. */
const SHOWN_LENGTH = 40;

function shown(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
