/**
 * Values by parameter name, as in `{ radius, height }`. That each is a finite number, the schemas of the functions say, which
 * all calls are checked against.
 */
type Named<Value> = Readonly<Record<string, Value>>;

/** Longest list that a function of this catalog takes, so that no call sorts or sums for long. */
const MAX_LIST_LENGTH = 100_000;

/**
 * For lengths, areas, amounts of money and durations.
 *
 * @throws RangeError where a value is below zero
 */
export function requireNotNegative(values: Named<number>): void {
  requireEach(values, (value) => value >= 0, "must be 0 or more");
}

/** @throws RangeError where a value is zero or below */
export function requirePositive(values: Named<number>): void {
  requireEach(values, (value) => value > 0, "must be greater than 0");
}

/**
 * For divisors and leading coefficients.
 *
 * @throws RangeError where a value is zero
 */
export function requireNotZero(values: Named<number>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === 0) throw new RangeError(`${name} must not be 0`);
  }
}

/**
 * Without a range it is that of the integers which a double holds exactly, from -(2^53 - 1) to 2^53 - 1.
 *
 * @throws RangeError where a value has a fraction or is out of range
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

/** @throws RangeError where a list is too short or too long */
export function requireNumbers(
  lists: Named<readonly number[]>,
  { minLength = 1 }: { minLength?: number } = {},
): void {
  for (const [name, list] of Object.entries(lists)) {
    if (list.length < minLength || list.length > MAX_LIST_LENGTH) {
      const wanted = `${minLength} to ${MAX_LIST_LENGTH} numbers`;
      throw new RangeError(`${name} must hold ${wanted}; got ${list.length}`);
    }
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
