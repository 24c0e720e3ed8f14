import { finiteResult, requireNotNegative, requireWhole } from "./checks.js";

/**
 * Calculate simple interest on a loan or an investment: the interest alone, without interest on interest.
 *
 * @param principal - amount of money lent or invested, zero or more
 * @param rate - annual interest rate as a fraction, not in percent: 0.05 means 5 %
 * @param years - time in years, zero or more; parts of a year are allowed
 * @returns the interest, without the principal
 * @example 800 at 3 % (rate 0.03) over 2 years earn 48
 */
export function simpleInterest(principal: number, rate: number, years: number): number {
  requireNotNegative({ principal, years });
  return finiteResult(principal * rate * years);
}

/**
 * Calculate the final amount of money with compound interest: the principal together with the
 * interest on an investment or a loan.
 *
 * @param principal - initial amount of money, zero or more
 * @param rate - annual interest rate as a fraction, not in percent: 0.05 means 5 %
 * @param times_compounded - how often a year interest is added: 1 yearly, 4 quarterly, 12 monthly
 * @param years - time in years, zero or more; parts of a year are allowed
 * @returns the accumulated amount, principal and interest together
 * @example 1000 at 10 % (rate 0.1) compounded yearly over 2 years grow to 1210
 */
export function compoundInterest(
  principal: number,
  rate: number,
  times_compounded: number,
  years: number,
): number {
  requireNotNegative({ principal, years });
  requireWhole({ times_compounded }, { min: 1 });
  const growth = 1 + rate / times_compounded;
  if (growth < 0) {
    throw new RangeError(`rate must not take more than all of the money at once; got ${rate}`);
  }
  return finiteResult(principal * growth ** (times_compounded * years));
}

/**
 * Calculate the compound interest earned on an investment or owed on a loan: the interest alone, without the principal.
 *
 * @param principal - initial amount of money, zero or more
 * @param rate - annual interest rate as a fraction, not in percent: 0.05 means 5 %
 * @param times_compounded - how often a year interest is added: 1 yearly, 4 quarterly, 12 monthly
 * @param years - time in years, zero or more; parts of a year are allowed
 * @returns the interest alone: the accumulated amount less the principal
 * @example 1000 at 10 % (rate 0.1) compounded yearly over 2 years earn 210
 */
export function compoundInterestEarned(
  principal: number,
  rate: number,
  times_compounded: number,
  years: number,
): number {
  return compoundInterest(principal, rate, times_compounded, years) - principal;
}
