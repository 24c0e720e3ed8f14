import type { SolvableTask } from "./solvableTask.js";

/** Tasks that take two or three calls, most of them with results of earlier ones. */
export const MEDIUM: readonly SolvableTask[] = [
  {
    id: "medium-01",
    query:
      "A winter coat is priced at 180 euros and sold at 35 percent off. What does it cost after " +
      "the reduction, in euros?",
    calls: [
      { tool: "percentage_of", args: { percent: 35, number: 180 } },
      { tool: "subtract", args: { a: 180, b: 63 } },
    ],
    answers: [117],
  },
  {
    id: "medium-02",
    query:
      "I want to varnish the top of a round table that measures 1.5 m across. How many square " +
      "metres is that, rounded to two decimal places?",
    calls: [
      { tool: "divide", args: { a: 1.5, b: 2 } },
      { tool: "area_circle", args: { radius: 0.75 } },
      { tool: "round_number", args: { number: 1.7671458676442586, digits: 2 } },
    ],
    answers: [1.77],
  },
  {
    id: "medium-03",
    query: "What is the largest prime factor of 8,463?",
    calls: [
      { tool: "prime_factors", args: { number: 8463 } },
      { tool: "maximum", args: { numbers: [3, 7, 13, 31] } },
    ],
    answers: [31],
  },
  {
    id: "medium-04",
    query:
      "The width x of a vegetable bed, in metres, satisfies x² + 7x - 198 = 0. Which is the " +
      "larger of the two solutions?",
    calls: [
      { tool: "quadratic_formula", args: { a: 1, b: 7, c: -198 } },
      { tool: "maximum", args: { numbers: [-18, 11] } },
    ],
    answers: [11],
  },
  {
    id: "medium-05",
    query:
      "A corner plot is a right triangle whose legs measure 20 m and 21 m. How many metres of " +
      "fence go all the way round it?",
    calls: [
      { tool: "hypotenuse", args: { a: 20, b: 21 } },
      { tool: "perimeter_triangle", args: { sides: [20, 21, 29] } },
    ],
    answers: [70],
  },
  {
    id: "medium-06",
    query: "Work out 2 to the power of 20. What do the digits of the result add up to?",
    calls: [
      { tool: "power", args: { base: 2, exponent: 20 } },
      { tool: "sum_of_digits", args: { number: 1048576 } },
    ],
    answers: [31],
  },
  {
    id: "medium-07",
    query:
      "Anna borrows 1,200 francs from her aunt for 3 years at 4.5 % simple interest a year and " +
      "pays loan and interest back in 12 equal instalments. How many francs is one instalment?",
    calls: [
      { tool: "simple_interest", args: { principal: 1200, rate: 0.045, years: 3 } },
      { tool: "add", args: { a: 1200, b: 162 } },
      { tool: "divide", args: { a: 1362, b: 12 } },
    ],
    answers: [113.5],
  },
  {
    id: "medium-08",
    query:
      "At noon on four days the thermometer showed 21.5, 24, 19.5 and 23 degrees Celsius. What " +
      "is the average of these readings in degrees Fahrenheit?",
    calls: [
      { tool: "mean", args: { numbers: [21.5, 24, 19.5, 23] } },
      { tool: "convert_celsius_to_fahrenheit", args: { celsius: 22 } },
    ],
    answers: [71.6],
  },
  {
    id: "medium-09",
    query:
      "A cylindrical rain barrel has a radius of 4 dm and a height of 12 dm; one cubic decimetre " +
      "is one litre. How many watering cans of 10 litres can be filled completely from the full " +
      "barrel?",
    calls: [
      { tool: "volume_cylinder", args: { radius: 4, height: 12 } },
      { tool: "divide", args: { a: 603.1857894892403, b: 10 } },
      { tool: "floor_number", args: { number: 60.31857894892403 } },
    ],
    answers: [60],
  },
  {
    id: "medium-10",
    query:
      "A kiosk sold 42, 55, 48, 61 and 39 newspapers from Monday to Friday. What is the " +
      "coefficient of variation of these sales, in percent and rounded to one decimal place?",
    calls: [
      { tool: "coefficient_of_variation", args: { numbers: [42, 55, 48, 61, 39] } },
      { tool: "multiply", args: { a: 0.16579670213542777, b: 100 } },
      { tool: "round_number", args: { number: 16.579670213542776, digits: 1 } },
    ],
    answers: [16.6],
  },
  {
    id: "medium-11",
    query:
      "A teacher splits 84 pens and 126 pencils into as many identical sets as possible, with " +
      "nothing left over. How many pencils are in each set?",
    calls: [
      { tool: "gcd", args: { a: 84, b: 126 } },
      { tool: "divide", args: { a: 126, b: 42 } },
    ],
    answers: [3],
  },
  {
    id: "medium-12",
    query:
      "In the Fibonacci sequence with F(0) = 0 and F(1) = 1, what remainder does F(30) leave " +
      "when it is divided by 97?",
    calls: [
      { tool: "fibonacci_recursive", args: { n: 30 } },
      { tool: "modulus", args: { a: 832040, b: 97 } },
    ],
    answers: [71],
  },
  {
    id: "medium-13",
    query:
      "A kite flies on a taut string of 60 m that makes an angle of 35 degrees with the ground. " +
      "How many metres above the ground is the kite?",
    calls: [
      { tool: "degrees_to_radians", args: { degrees: 35 } },
      { tool: "sine", args: { angle: 0.6108652381980153 } },
      { tool: "multiply", args: { a: 60, b: 0.573576436351046 } },
    ],
    answers: [34.41458618106276],
  },
  {
    id: "medium-14",
    query:
      "Over three years a fund multiplied its value by 1.08, by 0.95 and by 1.2. What was its " +
      "average growth factor per year, as the geometric mean, to four decimal places?",
    calls: [
      { tool: "geometric_mean", args: { numbers: [1.08, 0.95, 1.2] } },
      { tool: "round_number", args: { number: 1.071789592624834, digits: 4 } },
    ],
    answers: [1.0718],
  },
  {
    id: "medium-15",
    query:
      "A ball with a radius of 11 cm gets a leather cover, and 15 percent more leather than its " +
      "surface is needed for the seams. How much leather is that, in square centimetres?",
    calls: [
      { tool: "surface_area_sphere", args: { radius: 11 } },
      { tool: "percentage_of", args: { percent: 15, number: 1520.53084433746 } },
      { tool: "add", args: { a: 1520.53084433746, b: 228.079626650619 } },
    ],
    answers: [1748.610470988079],
  },
  {
    id: "medium-16",
    query:
      "The nth Catalan number counts the balanced arrangements of n pairs of brackets. How many " +
      "more such arrangements are there for 8 pairs than for 7 pairs?",
    calls: [
      { tool: "catalan_number", args: { n: 8 } },
      { tool: "catalan_number", args: { n: 7 } },
      { tool: "subtract", args: { a: 1430, b: 429 } },
    ],
    answers: [1001],
  },
  {
    id: "medium-17",
    query:
      "Mila saves 5 euros in the first week and every week 2 euros more than in the week before. " +
      "After 26 weeks she buys a bicycle for 300 euros out of her savings. How many euros are " +
      "left?",
    calls: [
      { tool: "sum_of_arithmetic_sequence", args: { n: 26, a1: 5, d: 2 } },
      { tool: "subtract", args: { a: 780, b: 300 } },
    ],
    answers: [480],
  },
  {
    id: "medium-18",
    query:
      "A stone pyramid stands on a square base with sides of 230 m and is 147 m high. What is " +
      "its volume in cubic metres?",
    calls: [
      { tool: "area_square", args: { side_length: 230 } },
      { tool: "volume_of_pyramid", args: { base_area: 52900, height: 147 } },
    ],
    answers: [2592100],
  },
  {
    id: "medium-19",
    query:
      "Five colleagues earn 1,900, 2,100, 2,300, 2,400 and 6,800 euros a month. By how many " +
      "euros is the mean of these wages above their median?",
    calls: [
      { tool: "mean", args: { numbers: [1900, 2100, 2300, 2400, 6800] } },
      { tool: "median", args: { numbers: [1900, 2100, 2300, 2400, 6800] } },
      { tool: "subtract", args: { a: 3100, b: 2300 } },
    ],
    answers: [800],
  },
  {
    id: "medium-20",
    query:
      "Write down row 9 of Pascal's triangle, where row 0 is the single 1 at the top. What is " +
      "the largest number in it?",
    calls: [
      { tool: "pascals_triangle_row", args: { n: 9 } },
      { tool: "maximum", args: { numbers: [1, 9, 36, 84, 126, 126, 84, 36, 9, 1] } },
    ],
    answers: [126],
  },
];
