/** Code of the tools that the libraries of requests begin with, as a model would have written it. */
export const START_TOOLS = {
  shipping_fee: String.raw`/**
 * Fee for shipping one parcel.
 * @param weight_kg Weight in kilograms; more than 0, at most 30.
 * @param zone "home", "near" or "far".
 * @returns the fee in euros: a base fee and a fee for each kilogram begun
 * @example shipping_fee(1.5, "home") => 5
 * @example shipping_fee(31, "home") => throws
 */
export function shipping_fee(weight_kg: number, zone: string): number {
  const fees = new Map([
    ["home", { base: 3, perKg: 1 }],
    ["near", { base: 5, perKg: 2 }],
    ["far", { base: 9, perKg: 4 }],
  ]);
  const fee = fees.get(zone);
  if (fee === undefined) throw new Error("unknown zone " + zone);
  if (!(weight_kg > 0 && weight_kg <= 30)) throw new Error("a parcel weighs up to 30 kg");
  return fee.base + fee.perKg * Math.ceil(weight_kg);
}`,
  vat_percent: String.raw`/**
 * VAT rate of a country.
 * @param country Code of two capital letters: DE, FR, SE or HU.
 * @returns the rate in percent
 * @example vat_percent("DE") => 19
 * @example vat_percent("XX") => throws
 */
export function vat_percent(country: string): number {
  const rates = new Map([["DE", 19], ["FR", 20], ["SE", 25], ["HU", 27]]);
  const rate = rates.get(country);
  if (rate === undefined) throw new Error("no VAT rate is known for " + country);
  return rate;
}`,
  exchange_rate: String.raw`/**
 * Fixed exchange rate of a currency.
 * @param currency Code of three capital letters: EUR, USD, SEK or HUF.
 * @returns units of the currency for one euro
 * @example exchange_rate("USD") => 1.25
 * @example exchange_rate("XXX") => throws
 */
export function exchange_rate(currency: string): number {
  const rates = new Map([["EUR", 1], ["USD", 1.25], ["SEK", 11.5], ["HUF", 400]]);
  const rate = rates.get(currency);
  if (rate === undefined) throw new Error("no rate is known for " + currency);
  return rate;
}`,
  clamp: String.raw`/**
 * Keeps a number within two bounds.
 * @param value The number.
 * @param low The lower bound.
 * @param high The upper bound.
 * @returns the number, or the bound that it goes beyond
 * @example clamp(5, 0, 10) => 5
 * @example clamp(-3, 0, 10) => 0
 * @example clamp(5, 10, 0) => throws
 */
export function clamp(value: number, low: number, high: number): number {
  if (low > high) throw new Error("the lower bound is above the upper one");
  return Math.min(Math.max(value, low), high);
}`,
  count_words: String.raw`/**
 * Counts the words of a text.
 * @param text The text; words stand between white space.
 * @returns the number of words
 * @example count_words("two words") => 2
 * @example count_words("") => 0
 */
export function count_words(text: string): number {
  return text.split(/\s+/).filter((word) => word !== "").length;
}`,
  greatest_common_divisor: String.raw`/**
 * Greatest common divisor of two whole numbers.
 * @param first A whole number.
 * @param second Another whole number.
 * @returns the largest whole number that divides both; 0 when both are 0
 * @example greatest_common_divisor(12, 18) => 6
 * @example greatest_common_divisor(0, 7) => 7
 * @example greatest_common_divisor(1.5, 2) => throws
 */
export function greatest_common_divisor(first: number, second: number): number {
  if (!Number.isInteger(first) || !Number.isInteger(second)) {
    throw new Error("both have to be whole numbers");
  }
  let [a, b] = [Math.abs(first), Math.abs(second)];
  while (b > 0) [a, b] = [b, a % b];
  return a;
}`,
} as const;

export type StartToolName = keyof typeof START_TOOLS;
