/**
 * The answer of every solvable task once more, worked out without the catalog, by id. Numbers are
 * written as they stand in the task.
 */
export const PLAIN_ANSWERS: Record<string, () => number | boolean> = {
  "easy-01": () => (1435 + 790 + 2215 + 360) / 100,
  "easy-02": () => 1235 - 48 * Math.floor(1235 / 48),
  "easy-03": () => Math.hypot(2.8, 9.6),
  "easy-04": () => (13 * 12 * 11 * 10) / (4 * 3 * 2),
  "easy-05": () => (100 * (903 - 840)) / 840,
  "easy-06": () => (38 + 45) / 2,
  "easy-07": () => ((356 - 32) * 5) / 9,
  "easy-08": () => countingFrom(1).find((n) => n % 42 === 0 && n % 60 === 0) ?? NaN,
  "easy-09": () => (Math.PI * 4 * 4 * 9) / 3,
  "easy-10": () => countingTo(5 * 12).reduce((money) => money + (money * 0.036) / 12, 2500),
  "easy-11": () => countingTo(23).reduce((seats) => seats + 3, 18),
  "easy-12": () => 1 + ((98765 - 1) % 9),
  "easy-13": () => 9 ** 4 + 4 ** 4 + 7 ** 4 + 5 ** 4 === 9475,
  "easy-14": () => Math.sqrt(spread([12.1, 12.4, 11.9, 12.6, 12.0]) / (5 - 1)),
  "easy-15": () => Math.sqrt((6.5 + 2) ** 2 + (5 + 1) ** 2),
  "easy-16": () => 2 / (1 / 24 + 1 / 16),
  "easy-17": () => coprimesTo(540),
  "easy-18": () => 6 * ((Math.sqrt(3) / 4) * 6 * 6),
  "easy-19": () => 84 + 92 + 110,
  "easy-20": () => countingFrom(1).find((n) => 3 ** n === 59049) ?? NaN,
  "medium-01": () => 180 * 0.65,
  "medium-02": () => Math.round(100 * Math.PI * (1.5 / 2) ** 2) / 100,
  "medium-03": () => largest(divisors(8463).filter((d) => divisors(d).length === 2)),
  "medium-04": () => (-7 + Math.sqrt(7 * 7 + 4 * 198)) / 2,
  "medium-05": () => 20 + 21 + Math.hypot(20, 21),
  "medium-06": () => digitSum(2 ** 20),
  "medium-07": () => (1200 * (1 + 3 * 0.045)) / 12,
  "medium-08": () => (((21.5 + 24 + 19.5 + 23) / 4) * 9) / 5 + 32,
  "medium-09": () => Math.floor((Math.PI * 4 * 4 * 12) / 10),
  "medium-10": () => Math.round((1000 * Math.sqrt(spread([42, 55, 48, 61, 39]) / 5)) / 49) / 10,
  "medium-11": () => 126 / largest(common(84, 126)),
  "medium-12": () => fibonacci(30) % 97,
  "medium-13": () => 60 * Math.sin((35 / 180) * Math.PI),
  "medium-14": () => Math.round(10_000 * Math.exp(Math.log(1.08 * 0.95 * 1.2) / 3)) / 10_000,
  "medium-15": () => 1.15 * 4 * Math.PI * 11 * 11,
  "medium-16": () => choose(16, 8) / 9 - choose(14, 7) / 8,
  "medium-17": () => total(countingTo(26).map((week) => 5 + 2 * (week - 1))) - 300,
  "medium-18": () => (230 * 230 * 147) / 3,
  "medium-19": () => (1900 + 2100 + 2300 + 2400 + 6800) / 5 - 2300,
  "medium-20": () => largest([0, ...countingTo(9)].map((k) => choose(9, k))),
  "hard-01": () => Math.ceil(((2 * 5.2 + 2 * 3.8) * 2.5 - 6.3) / 9),
  "hard-02": () => Math.round(10 * Math.PI * ((19 * 19) / 12.9 - (14 * 14) / 8.5)) / 10,
  "hard-03": () =>
    Math.round((100 * (92 - 76)) / Math.sqrt(spread([62, 71, 75, 80, 92]) / 5)) / 100,
  "hard-04": () => Math.round(100 * (3000 + 0.75 * 3000 * (1.0125 ** 24 - 1))) / 100,
  "hard-05": () => digitSum(prime(50) * prime(60)),
  "hard-06": () => Math.hypot(9, 12) + Math.hypot(25 - 9, 12) + 25,
  "hard-07": () => (((((1.2 + 2.8) * 25) / 2) * 10) / 40) * 6.4,
  "hard-08": () => ((77 - 41) * 5) / 9,
  "hard-09": () => Math.round(10 * (1.7 + 80 * Math.tan((32 / 180) * Math.PI))) / 10,
  "hard-10": () => Math.round(100 * (32000 + 7 * 1200 - 32000 * 1.03 ** 7)) / 100,
  "hard-11": () =>
    Math.round(
      100 * (spread([22, 25, 24, 27, 23]) / 5 / (spread([22, 25, 24, 27, 23, 59]) / 6) - 1),
    ),
  "hard-12": () => Math.round(1000 * (7 / 12) * (6 / 11) * (5 / 10)) / 1000,
  "hard-13": () => Math.round((100 * (5000 * (1.04 ** 8 - 1) - 5000 * 0.04 * 8)) / 8) / 100,
  "hard-14": () => divisors((1386 * 3213) / largest(common(1386, 3213)) ** 2).length,
  "hard-15": () => Math.round(10 * 0.035 * Math.PI * (12 * 7 - 2.5 * 2.5)) / 10,
  "hard-16": () => 1.2 * 6 * Math.cbrt(2744) ** 2,
  "hard-17": () => isMirrored(total(divisors(2386)) + coprimesTo(2386)),
  "hard-18": () => Math.round(1000 * Math.sqrt((9 + 25 + 49 + 81) / 4)) / 1000,
  "hard-19": () => Math.round(Math.PI * 3 * 3 * (11 / 3 + (2 / 3) * 3)),
  "hard-20": () =>
    Math.round(1000 * ((40 + 60 + 120) / 3 / (3 / (1 / 40 + 1 / 60 + 1 / 120)) - 1)) / 10,
};

/** More than any search here needs. */
const ENOUGH = 10_000;

function countingFrom(first: number): number[] {
  return Array.from({ length: ENOUGH }, (_, index) => first + index);
}

function countingTo(last: number): number[] {
  return countingFrom(1).slice(0, last);
}

function total(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function largest(numbers: number[]): number {
  return Math.max(...numbers);
}

/** Sum of the squared distances from the mean, by the computational formula. */
function spread(numbers: number[]): number {
  return total(numbers.map((number) => number * number)) - total(numbers) ** 2 / numbers.length;
}

function divisors(number: number): number[] {
  return countingTo(number).filter((divisor) => number % divisor === 0);
}

function common(left: number, right: number): number[] {
  return divisors(left).filter((divisor) => right % divisor === 0);
}

function coprimesTo(number: number): number {
  const forbidden = divisors(number).filter((divisor) => divisor > 1);
  return countingTo(number).filter((n) => forbidden.every((divisor) => n % divisor !== 0)).length;
}

function prime(position: number): number {
  return (
    countingFrom(2)
      .slice(0, 300)
      .filter((number) => divisors(number).length === 2)[position - 1] ?? NaN
  );
}

function choose(n: number, k: number): number {
  return k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k;
}

function fibonacci(position: number): number {
  return position < 2 ? position : fibonacci(position - 1) + fibonacci(position - 2);
}

function digitSum(number: number): number {
  return total(Array.from(String(number), Number));
}

function isMirrored(number: number): boolean {
  return String(number) === Array.from(String(number)).toReversed().join("");
}
