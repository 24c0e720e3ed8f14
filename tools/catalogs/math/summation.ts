/**
 * Adds numbers with Neumaier's compensated summation, so that ten times 0.1 is 1 and a small number
 * between two large ones is not lost (A. Neumaier, ZAMM 54, 1974).
 */
export function accurateSum(numbers: readonly number[]): number {
  let sum = 0;
  let lost = 0;
  for (const number of numbers) {
    const next = sum + number;
    lost += Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum;
    sum = next;
  }
  // An overflow leaves Infinity - Infinity in the compensation; the sum alone says what happened.
  return Number.isFinite(sum) ? sum + lost : sum;
}

/** The arithmetic mean of a list that is not empty. */
export function meanOf(numbers: readonly number[]): number {
  return accurateSum(numbers) / numbers.length;
}

/** The sum of the squared distances of the numbers from their mean: the numerator of a variance. */
export function squaredDeviations(numbers: readonly number[]): number {
  const center = meanOf(numbers);
  return accurateSum(numbers.map((number) => (number - center) ** 2));
}

/** A sorted copy, smallest number first. */
export function ascending(numbers: readonly number[]): number[] {
  return numbers.toSorted((left, right) => left - right);
}
