import * as fc from "fast-check";
import { expect, it } from "vitest";
import * as math from "../../../../tools/catalogs/math/index.js";

const whole = fc.integer({ min: -1e6, max: 1e6 });
const notZero = whole.filter((value) => value !== 0);
const positive = fc.double({ min: 1e-3, max: 1e3, noNaN: true });
const small = fc.integer({ min: 1, max: 3000 });
const few = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 40 });

it("the operations undo one another", () => {
  fc.assert(
    fc.property(whole, notZero, (a, b) => {
      expect(math.subtract(math.add(a, b), b) - a).toBe(0);
      expect(math.divide(math.multiply(a, b), b) - a).toBe(0);
      expect(Math.floor(a / b) * b + math.modulus(a, b) - a).toBe(0);
    }),
  );
});

it("an equation has the roots that it was made of", () => {
  fc.assert(
    fc.property(small, small, small, (p, q, a) => {
      const { real_roots } = math.quadraticFormula(a, -a * (p + q), a * p * q);
      const wanted = math.sortNumbers([...new Set([p, q])]);
      expect(real_roots.map((root) => Math.round(root * 1e4) / 1e4)).toEqual(wanted);
    }),
  );
});

it("the means stand in the order of their inequality", () => {
  fc.assert(
    fc.property(fc.array(positive, { minLength: 1 }), (numbers) => {
      const slack = 1 + 1e-12;
      expect(math.harmonicMean(numbers)).toBeLessThanOrEqual(math.geometricMean(numbers) * slack);
      expect(math.geometricMean(numbers)).toBeLessThanOrEqual(math.mean(numbers) * slack);
    }),
  );
});

it("a median has at most half of the numbers above it", () => {
  fc.assert(
    fc.property(few, (numbers) => {
      const above = numbers.filter((number) => number > math.median(numbers)).length;
      expect(above).toBeLessThanOrEqual(numbers.length / 2);
    }),
  );
});

it("a list is its even and its odd numbers, between its ends", () => {
  fc.assert(
    fc.property(few, (numbers) => {
      const parts = math.sumOfEvenNumbers(numbers) + math.sumOfOddNumbers(numbers);
      expect(parts).toBe(math.sumOfList(numbers));
      const sorted = math.sortNumbers(numbers);
      expect([sorted[0], sorted.at(-1)]).toEqual([math.minimum(numbers), math.maximum(numbers)]);
      expect(math.interquartileRange(numbers)).toBeLessThanOrEqual(math.rangeOfNumbers(numbers));
    }),
  );
});

it("a variance ignores shifts and follows scales", () => {
  fc.assert(
    fc.property(few, whole, (numbers, shift) => {
      const plain = math.variance(numbers);
      expect(math.variance(numbers.map((value) => value + shift))).toBeCloseTo(plain, 4);
      expect(math.variance(numbers.map((value) => 2 * value))).toBeCloseTo(4 * plain, 4);
      expect(math.meanAbsoluteDeviation(numbers)).toBeLessThanOrEqual(Math.sqrt(plain) + 1e-9);
    }),
  );
});

it("an ellipse is within 0.05 % of its true perimeter", () => {
  fc.assert(
    fc.property(fc.double({ min: 0.05, max: 1, noNaN: true }), (b) => {
      expect(Math.abs(math.perimeterOfEllipse(1, b) / ellipticPerimeter(1, b) - 1)).toBeLessThan(
        5e-4,
      );
    }),
  );
});

it("a binomial coefficient is the sum of its parents", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 55 }), fc.nat(54), (n, some) => {
      const k = 1 + (some % n);
      const parents = math.binomialCoefficient(n - 1, k - 1) + math.binomialCoefficient(n - 1, k);
      expect(math.binomialCoefficient(n, k)).toBe(parents);
      expect(math.pascalsTriangleRow(n)[k]).toBe(parents);
    }),
  );
});

it("conversions come back", () => {
  fc.assert(
    fc.property(positive, (value) => {
      expect(math.radiansToDegrees(math.degreesToRadians(value))).toBeCloseTo(value, 8);
      const fahrenheit = math.convertCelsiusToFahrenheit(value);
      expect(math.convertFahrenheitToCelsius(fahrenheit)).toBeCloseTo(value, 8);
    }),
  );
});

it("a digital root is what sums of digits end at", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (number) => {
      let root = number;
      do root = math.sumOfDigits(root);
      while (root > 9);
      expect(math.digitalRoot(number)).toBe(root);
    }),
  );
});

it("Bezout's identity holds for all integers that a double holds", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b) => {
      const { gcd, x, y } = math.gcdExtended(a, b);
      expect(gcd).toBe(math.gcd(a, b));
      expect(Number(BigInt(a) * BigInt(x) + BigInt(b) * BigInt(y))).toBe(gcd);
    }),
  );
});

it("divisor and multiple make the product", () => {
  fc.assert(
    fc.property(whole, whole, (a, b) => {
      expect(math.gcd(a, b) * math.lcm(a, b)).toBe(Math.abs(a * b));
    }),
  );
});

it("prime factors are prime and make the number", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), (number) => {
      const factors = math.primeFactors(number);
      expect(factors.reduce((product, factor) => product * factor, 1)).toBe(number);
      expect(factors.every(math.isPrime)).toBe(true);
    }),
  );
});

it("divisors are those that division finds", () => {
  fc.assert(
    fc.property(small, (n) => {
      const upToN = Array.from({ length: n }, (_, index) => index + 1);
      const divisors = upToN.filter((candidate) => n % candidate === 0);
      const sum = divisors.reduce((total, divisor) => total + divisor, 0);
      expect(math.numberOfDivisors(n)).toBe(divisors.length);
      expect(math.sumOfDivisors(n)).toBe(sum);
      expect(math.isPerfectNumber(n)).toBe(sum === 2 * n);
      const coprime = upToN.filter((candidate) => math.gcd(candidate, n) === 1);
      expect(math.eulerTotientFunction(n)).toBe(coprime.length);
    }),
  );
});

it("roots are undone by powers, whole ones exactly", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 30 }), fc.integer({ min: 2, max: 10 }), (base, root) => {
      expect(math.nthRoot(math.power(base, root), root)).toBe(base);
    }),
  );
});

it("logarithms turn products into sums", () => {
  fc.assert(
    fc.property(positive, positive, (a, b) => {
      expect(math.log(a * b)).toBeCloseTo(math.log(a) + math.log(b), 10);
    }),
  );
});

it("rounding is odd, idempotent and off by half a unit at most", () => {
  fc.assert(
    fc.property(positive, fc.integer({ min: -3, max: 6 }), (value, digits) => {
      const rounded = math.roundNumber(value, digits);
      expect(math.roundNumber(rounded, digits)).toBe(rounded);
      expect(math.roundNumber(-value, digits) + rounded).toBe(0);
      expect(Math.abs(rounded - value)).toBeLessThanOrEqual(0.5 * 10 ** -digits + 1e-9);
    }),
  );
});

it("sequences sum to what adding term by term gives", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), whole, whole, (n, a1, d) => {
      const terms = (term: (i: number) => number) =>
        math.sumOfList(Array.from({ length: n }, (_, index) => term(index + 1)));
      const arithmetic = terms((i) => math.nthTermArithmeticSequence(i, a1, d));
      expect(math.sumOfArithmeticSequence(n, a1, d)).toBe(arithmetic);
      const ratio = 1 + d / 1e7;
      const geometric = terms((i) => math.nthTermGeometricSequence(i, 1, ratio));
      expect(math.sumOfGeometricSequence(n, 1, ratio) / geometric).toBeCloseTo(1, 12);
      expect(math.sumOfNaturalNumbers(n)).toBe(terms((i) => i));
      expect([math.sumOfSquares(n), math.sumOfNSquares(n)]).toEqual(
        Array(2).fill(terms((i) => i ** 2)),
      );
      expect([math.sumOfCubes(n), math.sumOfNCubes(n)]).toEqual(
        Array(2).fill(terms((i) => i ** 3)),
      );
      expect(math.sumOfFirstNOddNumbers(n)).toBe(terms((i) => 2 * i - 1));
      expect(math.sumOfFirstNEvenNumbers(n)).toBe(terms((i) => 2 * i));
    }),
  );
});

it("solids follow Archimedes and Pappus", () => {
  fc.assert(
    fc.property(positive, positive, (radius, height) => {
      const [base, around] = [math.areaCircle(radius), math.circumferenceCircle(radius)];
      const tube = math.areaCircle(radius) * math.circumferenceCircle(radius + height);
      for (const [one, other] of [
        [math.volumeCylinder(radius, height), math.volumeOfPrism(base, height)],
        [math.surfaceAreaOfCylinder(radius, height), math.surfaceAreaOfPrism(around, base, height)],
        [math.volumeCone(radius, height), math.volumeOfPyramid(base, height)],
        [math.volumeSphere(radius), (math.volumeCylinder(radius, 2 * radius) * 2) / 3],
        [math.volumeOfTorus(radius + height, radius), tube],
      ] as const) {
        expect(one / other).toBeCloseTo(1, 12);
      }
    }),
  );
});

it("no detour is shorter than the straight line", () => {
  fc.assert(
    fc.property(whole, whole, whole, whole, (x, y, u, v) => {
      const detour =
        math.distanceBetweenPoints(0, 0, u, v) + math.distanceBetweenPoints(u, v, x, y);
      expect(math.distanceBetweenPoints(0, 0, x, y)).toBeLessThanOrEqual(detour + 1e-6);
    }),
  );
});

it("sine and cosine lie on the unit circle", () => {
  fc.assert(
    fc.property(fc.double({ min: -10, max: 10, noNaN: true }), (angle) => {
      expect(math.sine(angle) ** 2 + math.cosine(angle) ** 2).toBeCloseTo(1, 12);
    }),
  );
});

it("finds the known Armstrong numbers, primes and triples", () => {
  const numbers = Array.from({ length: 10_000 }, (_, number) => number);
  expect(numbers.filter(math.isArmstrongNumber).slice(10)).toEqual([
    153, 370, 371, 407, 1634, 8208, 9474,
  ]);
  expect(math.primeSieve(10_000)).toEqual(numbers.filter(math.isPrime));
  expect(math.primeSieve(1_000_000)).toHaveLength(78_498);
  expect(math.pythagoreanTriples(1000)).toHaveLength(881);
});

it("computes what the textbook formulas lose, overflow or let vanish", () => {
  expect(math.quadraticFormula(1, 1e8, 1).real_roots[1]).toBeCloseTo(-1e-8, 22);
  expect(math.quadraticFormula(1e200, -3e200, 2e200).real_roots[1]).toBeCloseTo(2, 12);
  expect(math.hypotenuse(3e200, 4e200) / 5e200).toBeCloseTo(1, 14);
  for (const [a, b, c] of math.pythagoreanTriples(2000)) expect(math.hypotenuse(a, b)).toBe(c);
});

/** The perimeter by adding up the speed along the curve at many points. */
function ellipticPerimeter(a: number, b: number): number {
  const points = 20_000;
  let sum = 0;
  for (let point = 0; point < points; point += 1) {
    const angle = (2 * Math.PI * (point + 0.5)) / points;
    sum += Math.sqrt((a * Math.sin(angle)) ** 2 + (b * Math.cos(angle)) ** 2);
  }
  return (sum * 2 * Math.PI) / points;
}
