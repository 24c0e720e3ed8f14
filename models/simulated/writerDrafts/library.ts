import { fenced, type WriterScript } from "./script.js";

const SHIPPING_SUM = String.raw`/**
 * Sum of the shipping fees of parcels that go to one zone.
 * @param weights The weights in kilograms.
 * @param zone The zone, as shipping_fee knows it.
 * @returns the sum in euros
 * @calls shipping_fee
 * @example sum_shipping_fees([1, 2], "home") => 9
 * @example sum_shipping_fees([], "home") => 0
 * @example sum_shipping_fees([1], "moon") => throws
 */
export async function sum_shipping_fees(weights: number[], zone: string): Promise<number> {
  let sum = 0;
  for (const weight_kg of weights) sum += await callTool("shipping_fee", { weight_kg, zone });
  return sum;
}`;

const PRICE_ABROAD = String.raw`/**
 * Price that a customer abroad pays, with VAT and in another currency.
 * @param net The net price in euros; not negative.
 * @param country The country as a code of two letters.
 * @param currency The currency as a code of three letters.
 * @returns the price in the currency, rounded to two decimals
 * @calls vat_percent, exchange_rate
 * @example price_abroad(100, "DE", "EUR") => 119
 * @example price_abroad(-5, "DE", "EUR") => throws
 */
export async function price_abroad(net: number, country: string, currency: string): Promise<number> {
  if (net < 0) throw new Error("the price is negative: " + net);
  const percent = await callTool("vat_percent", { country });
  const rate = await callTool("exchange_rate", { currency });
  return Math.round(net * (1 + percent / 100) * rate * 100) / 100;
}`;

const CLAMP = String.raw`/**
 * Keeps a number within two bounds.
 * @param value The number.
 * @param low One bound.
 * @param high The other bound.
 * @returns the number, or the bound that it goes beyond
 * @example clamp(5, 0, 10) => 5
 * @example clamp(-3, 0, 10) => 0
 * @example clamp(5, 10, 0) => 5
 */
export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, Math.min(low, high)), Math.max(low, high));
}`;

const COUNT_WORDS = String.raw`/**
 * Counts the words of a text.
 * @param text The text; words stand between white space or hyphens.
 * @returns the number of words
 * @example count_words("a well-known text") => 4
 * @example count_words("two words") => 2
 * @example count_words("a - b") => 2
 */
export function count_words(text: string): number {
  return text.split(/[\s-]+/).filter((word) => word !== "").length;
}`;

const LIVE_TEMPERATURE = String.raw`/**
 * Present temperature at a place.
 * @param place Name of the place.
 * @returns the temperature in degrees Celsius
 * @example live_temperature("Oslo") => 4
 * @example live_temperature("") => throws
 */
export async function live_temperature(place: string): Promise<number> {
  const reply = await fetch("https://weather.example/now?place=" + encodeURIComponent(place));
  return Number(await reply.text());
}`;

const NO_NETWORK =
  "This cannot be written as such a tool: a measured temperature has to come over the network, which the function does not have.";

/** What the writer replies to requests that depend on the tools of the library. */
export const LIBRARY: readonly WriterScript[] = [
  {
    about: "sums the shipping fees",
    wish: {
      kind: "create",
      task: "Sums the shipping fees of several parcels by calling shipping_fee.",
    },
    searches: ["fee for shipping a parcel"],
    drafts: [
      { reply: fenced(SHIPPING_SUM.replace(" * @calls shipping_fee\n", "")), fault: "rules" },
      { reply: fenced(SHIPPING_SUM) },
    ],
  },
  {
    about: "a customer abroad pays",
    wish: {
      kind: "create",
      task: "Gives the price with VAT in a foreign currency by calling vat_percent and exchange_rate.",
    },
    searches: ["VAT rate of a country", "exchange rate of a currency"],
    drafts: [{ reply: fenced(PRICE_ABROAD) }],
  },
  {
    about: "the tool clamp",
    wish: {
      kind: "update",
      tool: "clamp",
      instruction: "Swap bounds in the wrong order instead of throwing; keep all else.",
    },
    drafts: [
      { reply: fenced(CLAMP.replaceAll("clamp(", "clamp_between(")), fault: "name" },
      // Changes what an example of the version before says, and does not say so.
      {
        reply: fenced(CLAMP.replace("clamp(5, 10, 0) => 5", "clamp(12, 0, 10) => 10")),
        fault: "failed example",
      },
      { reply: fenced(CLAMP) },
    ],
  },
  {
    about: "the tool count_words",
    wish: {
      kind: "update",
      tool: "count_words",
      instruction: "Count words that are joined by a hyphen one by one; a hyphen alone is no word.",
    },
    drafts: [{ reply: fenced(COUNT_WORDS) }],
  },
  {
    about: "web service of a weather station",
    wish: { kind: "create", task: "Asks a web service for the present temperature at a place." },
    drafts: [
      { reply: fenced(LIVE_TEMPERATURE), fault: "types" },
      { reply: NO_NETWORK, fault: "no code" },
    ],
  },
  {
    about: "greatest common divisor",
    wish: { kind: "create", task: "Greatest common divisor of two whole numbers." },
    drafts: [{ reply: "USE: greatest_common_divisor" }],
  },
];
