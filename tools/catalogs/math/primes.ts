import { requireWhole } from "./checks.js";

/** Largest number that is taken apart: trial division up to its square root ends within a fraction of a second. */
const MAX_FACTORED = 1e14;

/** One prime of a factorisation and how often it divides the number. */
interface PrimePower {
  prime: number;
  exponent: number;
}

/**
 * Prime factorisation by trial division with 2, 3 and the numbers next to multiples of 6.
 *
 * @param number whole number from 1 to {@link MAX_FACTORED}; 1 has no prime factors
 * @returns the prime powers, smallest prime first
 */
function factorise(number: number): PrimePower[] {
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
function hasOnlyTrivialDivisors(number: number): boolean {
  if (number < 2) return false;
  return smallestPrimeDivisor(number) === number;
}

/**
 * All primes up to a limit, by the sieve of Eratosthenes. Takes one byte of memory a number.
 *
 * @param limit whole number; below 2 there are none
 */
function primesUpTo(limit: number): number[] {
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

/** Nobody needs a longer list than that of the primes up to here (78,498). */
const MAX_SIEVED = 1_000_000;

/** The 100,000th prime is 1,299,709. */
const MAX_PRIME_POSITION = 100_000;

/**
 * Check whether a number is a prime number.
 *
 * @param number - whole number to check, at most 100000000000000 (1e14)
 * @returns true when the number is prime; false for 1, 0 and negative numbers
 */
export function isPrime(number: number): boolean {
  requireWhole({ number }, { max: MAX_FACTORED });
  return hasOnlyTrivialDivisors(number);
}

/**
 * Determine whether n is a prime number.
 *
 * @param n - whole number to check, at most 100000000000000 (1e14)
 * @returns true when n is prime; false for 1, 0 and negative numbers
 */
export function isPrimeNumber(n: number): boolean {
  requireWhole({ n }, { max: MAX_FACTORED });
  return hasOnlyTrivialDivisors(n);
}

/**
 * Find the prime factors that a number is made of.
 *
 * @param number - whole number to take apart, from 1 to 100000000000000 (1e14)
 * @returns list of the prime factors, smallest first, each as often as it divides the number; empty for 1
 * @example the prime factors of 60 are 2, 2, 3 and 5
 */
export function primeFactors(number: number): number[] {
  requireWhole({ number }, { min: 1, max: MAX_FACTORED });
  return factorise(number).flatMap(({ prime, exponent }) => Array<number>(exponent).fill(prime));
}

/**
 * Find the prime number at position n, counted from 2 on.
 *
 * @param n - position among the prime numbers, from 1 (the prime 2) to 100000
 * @returns the prime number at that position
 */
export function nthPrime(n: number): number {
  requireWhole({ n }, { min: 1, max: MAX_PRIME_POSITION });
  // Rosser's theorem bounds the nth prime from n = 6 on; 15 is enough for the first six.
  const bound = Math.max(15, Math.ceil(n * (Math.log(n) + Math.log(Math.max(Math.log(n), 1)))));
  const prime = primesUpTo(bound)[n - 1];
  if (prime === undefined) throw new Error(`the sieve up to ${bound} holds fewer than ${n} primes`);
  return prime;
}

/**
 * List prime numbers with the sieve of Eratosthenes, up to a limit.
 *
 * @param n - upper limit, itself included, a whole number from 0 to 1000000
 * @returns list of the prime numbers, smallest first; empty when n is below 2
 */
export function primeSieve(n: number): number[] {
  requireWhole({ n }, { min: 0, max: MAX_SIEVED });
  return primesUpTo(n);
}

/**
 * Generate the list of prime numbers up to n.
 *
 * @param n - upper limit, itself included, a whole number from 0 to 1000000
 * @returns list of the prime numbers, smallest first; empty when n is below 2
 */
export function primesUpToN(n: number): number[] {
  return primeSieve(n);
}

/**
 * Calculate the number of divisors that a number has.
 *
 * @param n - whole number from 1 to 100000000000000 (1e14)
 * @returns how many positive divisors n has, 1 and n among them
 */
export function numberOfDivisors(n: number): number {
  requireWhole({ n }, { min: 1, max: MAX_FACTORED });
  return factorise(n).reduce((count, { exponent }) => count * (exponent + 1), 1);
}

/**
 * Calculate the sum of all divisors of a number, itself included.
 *
 * @param n - whole number from 1 to 100000000000000 (1e14)
 * @returns the sum of all positive divisors, 1 and n among them
 */
export function sumOfDivisors(n: number): number {
  requireWhole({ n }, { min: 1, max: MAX_FACTORED });
  return divisorSum(n);
}

/**
 * Check whether a number is perfect, the sum of its smaller divisors.
 *
 * @param number - whole number to check, at most 100000000000000 (1e14)
 * @returns true when the number is perfect, as 6 and 28 are; false for 0 and negative numbers
 */
export function isPerfectNumber(number: number): boolean {
  requireWhole({ number }, { max: MAX_FACTORED });
  return number > 0 && divisorSum(number) === 2 * number;
}

/**
 * Calculate Euler's totient (phi): how many numbers up to n are coprime to n.
 *
 * @param n - whole number from 1 to 100000000000000 (1e14)
 * @returns the count of whole numbers from 1 to n that are coprime to n
 */
export function eulerTotientFunction(n: number): number {
  requireWhole({ n }, { min: 1, max: MAX_FACTORED });
  return factorise(n).reduce((count, { prime }) => (count / prime) * (prime - 1), n);
}

function divisorSum(number: number): number {
  return factorise(number)
    .map(({ prime, exponent }) => sumOfPowers(prime, exponent))
    .reduce((product, sum) => product * sum, 1);
}

/** 1 + prime + prime² + … + prime^exponent. */
function sumOfPowers(prime: number, exponent: number): number {
  let sum = 1;
  for (let step = 0; step < exponent; step += 1) sum = sum * prime + 1;
  return sum;
}
