/**
 * Largest number that is taken apart: trial division up to its square root ends within a fraction
 * of a second.
 */
export const MAX_FACTORED = 1e14;

/** One prime of a factorisation and how often it divides the number. */
export interface PrimePower {
  prime: number;
  exponent: number;
}

/**
 * Prime factorisation by trial division with 2, 3 and the numbers next to multiples of 6.
 *
 * @param number whole number from 1 to {@link MAX_FACTORED}; 1 has no prime factors
 * @returns the prime powers, smallest prime first
 */
export function factorise(number: number): PrimePower[] {
  const powers: PrimePower[] = [];
  let rest = number;
  const divideOut = (prime: number): void => {
    let exponent = 0;
    for (; rest % prime === 0; rest /= prime) exponent += 1;
    if (exponent > 0) powers.push({ prime, exponent });
  };
  divideOut(2);
  divideOut(3);
  for (let candidate = 5; candidate * candidate <= rest; candidate += 6) {
    divideOut(candidate);
    divideOut(candidate + 2);
  }
  if (rest > 1) powers.push({ prime: rest, exponent: 1 });
  return powers;
}

/** Whether a whole number up to {@link MAX_FACTORED} is prime; 1, 0 and negative numbers are not. */
export function hasOnlyTrivialDivisors(number: number): boolean {
  if (number < 2) return false;
  return smallestPrimeDivisor(number) === number;
}

/**
 * All primes up to a limit, by the sieve of Eratosthenes. Takes one byte of memory a number.
 *
 * @param limit whole number; below 2 there are none
 */
export function primesUpTo(limit: number): number[] {
  const composite = new Uint8Array(Math.max(limit + 1, 0));
  const primes: number[] = [];
  for (let candidate = 2; candidate <= limit; candidate += 1) {
    if (composite[candidate] === 1) continue;
    primes.push(candidate);
    for (let multiple = candidate * candidate; multiple <= limit; multiple += candidate) {
      composite[multiple] = 1;
    }
  }
  return primes;
}

function smallestPrimeDivisor(number: number): number {
  if (number % 2 === 0) return 2;
  if (number % 3 === 0) return 3;
  for (let candidate = 5; candidate * candidate <= number; candidate += 6) {
    if (number % candidate === 0) return candidate;
    if (number % (candidate + 2) === 0) return candidate + 2;
  }
  return number;
}
