import { type CreationRequest, fails, gives } from "../request.js";

const wanted = { kind: "create" } as const;

/** Requests for tools that compute with numbers. */
export const NUMBERS: readonly CreationRequest[] = [
  {
    id: "significant-digits",
    theme: "numbers",
    query:
      "Create a tool that rounds a number to a given number of significant digits. Inputs, in this order: the number, and how many digits to keep. Zero stays zero. Anything but a whole number from 1 to 15 for the digits is an error.",
    wanted,
    start: [],
    checks: [
      gives([123456, 3], 123000),
      gives([0.00123456, 2], 0.0012),
      gives([-9876, 2], -9900),
      gives([0, 4], 0),
      gives([99.96, 3], 100),
      gives([1, 15], 1),
      fails(5, 0),
      fails(5, 2.5),
      fails(5, 16),
    ],
  },
  {
    id: "roman-numeral",
    theme: "numbers",
    query:
      "Create a tool that writes a whole number as a Roman numeral in capital letters. Input: the number, from 1 to 3999; anything else is an error.",
    wanted,
    start: [],
    checks: [
      gives([1], "I"),
      gives([4], "IV"),
      gives([40], "XL"),
      gives([1994], "MCMXCIV"),
      gives([2024], "MMXXIV"),
      gives([3999], "MMMCMXCIX"),
      fails(0),
      fails(4000),
      fails(2.5),
    ],
  },
  {
    id: "median-deviation",
    theme: "numbers",
    query:
      "Create a tool that computes the median absolute deviation of a list of numbers: the median of the distances of the numbers from their median. With an even count, a median is the mean of the two numbers in the middle. Input: the list; an empty list is an error.",
    wanted,
    start: [],
    checks: [
      gives([[1, 1, 2, 2, 4, 6, 9]], 1),
      gives([[5]], 0),
      gives([[1, 2, 3, 4]], 1),
      gives([[10, 9, 100, 8, 1]], 1),
      gives([[-5, -1, -10]], 4),
      gives([[2.5, 0.5, 20]], 2),
      gives([[7, 7, 7, 100]], 0),
      fails([]),
    ],
  },
];
