import { type CreationRequest, fails, gives } from "../request.js";

/** Requests whose right end depends on the tools that the library has already. */
export const LIBRARY: readonly CreationRequest[] = [
  {
    id: "shipping-sum",
    theme: "calls",
    query:
      "Create a tool that sums the shipping fees of several parcels that go to one zone. It shall call the tool shipping_fee for each parcel. Inputs, in this order: the list of the weights in kilograms, and the zone. An empty list costs 0.",
    wanted: { kind: "create", calls: ["shipping_fee"] },
    start: ["shipping_fee"],
    checks: [
      gives([[1, 2.5], "home"], 10),
      gives([[], "far"], 0),
      gives([[0.2], "far"], 13),
      gives([[30], "near"], 65),
      gives([[1, 1, 1], "near"], 21),
      fails([1], "moon"),
      fails([1, 31], "home"),
    ],
  },
  {
    id: "price-abroad",
    theme: "calls",
    query:
      "Create a tool that gives the price that a customer abroad pays. It shall call the tools vat_percent and exchange_rate. Inputs, in this order: the net price in euros, the country as a code of two letters, and the currency as a code of three letters. The VAT of the country is added, and the sum is converted and rounded to two decimals. A negative price is an error.",
    wanted: { kind: "create", calls: ["vat_percent", "exchange_rate"] },
    start: ["vat_percent", "exchange_rate"],
    checks: [
      gives([100, "DE", "EUR"], 119),
      gives([100, "SE", "SEK"], 1437.5),
      gives([80, "FR", "USD"], 120),
      gives([10, "HU", "HUF"], 5080),
      gives([19.99, "DE", "USD"], 29.74),
      gives([0, "DE", "USD"], 0),
      fails(-1, "DE", "EUR"),
      fails(10, "XX", "EUR"),
      fails(10, "DE", "XXX"),
    ],
  },
  {
    id: "clamp-swapped",
    theme: "update",
    query:
      "Change the tool clamp: bounds in the wrong order shall be swapped instead of being an error. All else stays as it is.",
    wanted: { kind: "update", tool: "clamp" },
    start: ["clamp"],
    checks: [
      gives([5, 0, 10], 5),
      gives([-3, 0, 10], 0),
      gives([12, 0, 10], 10),
      gives([5, 10, 0], 5),
      gives([12, 10, 0], 10),
      gives([-1, 10, 0], 0),
      gives([3, 3, 3], 3),
    ],
  },
  {
    id: "hyphenated-words",
    theme: "update",
    query:
      "Change the tool count_words: words that are joined by a hyphen shall count one by one, so that well-known counts as two words. A hyphen that stands alone is no word. All else stays as it is.",
    wanted: { kind: "update", tool: "count_words" },
    start: ["count_words"],
    checks: [
      gives(["well-known"], 2),
      gives(["mother-in-law and I"], 5),
      gives(["a - b"], 2),
      gives(["one two three"], 3),
      gives([""], 0),
      gives(["  spaced   out "], 2),
      gives(["--"], 0),
      gives(["end-"], 1),
    ],
  },
  {
    id: "live-temperature",
    theme: "no tool",
    query:
      "Create a tool that asks the web service of a weather station for the present temperature at a place. Input: the name of the place. It has to be the measured temperature of this moment.",
    wanted: { kind: "nothing" },
    start: [],
    checks: [],
  },
  {
    id: "common-divisor",
    theme: "no tool",
    query: "Create a tool that computes the greatest common divisor of two whole numbers.",
    wanted: { kind: "reuse", tool: "greatest_common_divisor" },
    start: ["greatest_common_divisor", "clamp"],
    checks: [
      gives([12, 18], 6),
      gives([17, 5], 1),
      gives([0, 7], 7),
      gives([-8, 12], 4),
      gives([0, 0], 0),
      gives([100, 75], 25),
    ],
  },
];
