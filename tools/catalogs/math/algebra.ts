import { finiteResult, requireNotZero } from "./checks.js";

/** The solutions of a quadratic equation. Exactly one of the two lists is empty. */
export interface QuadraticRoots {
  /** Real solutions, smaller one first; a double solution stands once. */
  real_roots: number[];
  /** The pair of complex solutions, negative imaginary part first; empty when there are real ones. */
  complex_roots: { re: number; im: number }[];
}

/**
 * Solve a quadratic equation a x² + b x + c = 0 and find its roots with the quadratic formula.
 *
 * @param a - coefficient of x squared; not zero
 * @param b - coefficient of x
 * @param c - constant term
 * @returns the solutions: real_roots holds the one or two real ones, smaller first; complex_roots
 *   holds the pair { re, im } when there is no real one
 * @example x² - 5 x + 6 = 0 has the roots 2 and 3
 */
export function quadraticFormula(a: number, b: number, c: number): QuadraticRoots {
  requireNotZero({ a });
  const scale = powerOfTwoScale(Math.max(Math.abs(a), Math.abs(b), Math.abs(c)));
  const equation = { a: a * scale, b: b * scale, c: c * scale };
  const discriminant = equation.b ** 2 - 4 * equation.a * equation.c;
  return discriminant < 0
    ? { real_roots: [], complex_roots: complexPair(equation, discriminant) }
    : { real_roots: realRoots(equation, discriminant), complex_roots: [] };
}

interface Equation {
  a: number;
  b: number;
  c: number;
}

/** Multiplying by it loses no bit and keeps b² and 4ac from overflowing or vanishing. */
function powerOfTwoScale(largest: number): number {
  return 2 ** Math.min(1000, -Math.floor(Math.log2(largest)));
}

/**
 * The textbook formula loses digits where b is close to the root of the discriminant; this way
 * nothing is subtracted (Numerical Recipes, section 5.6).
 */
function realRoots({ a, b, c }: Equation, discriminant: number): number[] {
  if (discriminant === 0) return [finiteResult(-b / (2 * a))];
  const sum = -(b + (b < 0 ? -1 : 1) * Math.sqrt(discriminant)) / 2;
  return [finiteResult(sum / a), finiteResult(c / sum)].toSorted((left, right) => left - right);
}

function complexPair({ a, b }: Equation, discriminant: number): QuadraticRoots["complex_roots"] {
  const re = finiteResult(-b / (2 * a));
  const im = finiteResult(Math.sqrt(-discriminant) / Math.abs(2 * a));
  return [
    { re, im: -im },
    { re, im },
  ];
}
