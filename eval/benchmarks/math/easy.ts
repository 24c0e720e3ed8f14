import type { SolvableTask } from "./solvableTask.js";

/** Tasks that take one call. */
export const EASY: readonly SolvableTask[] = [
  {
    id: "easy-01",
    query:
      "My receipts from the market came to 14.35, 7.90, 22.15 and 3.60 euros. How much did I " +
      "spend there altogether?",
    calls: [{ tool: "sum_of_list", args: { numbers: [14.35, 7.9, 22.15, 3.6] } }],
    answers: [48],
  },
  {
    id: "easy-02",
    query:
      "A baker fills trays with 48 rolls each and has baked 1,235 rolls. How many rolls remain " +
      "once no more tray can be filled?",
    calls: [{ tool: "modulus", args: { a: 1235, b: 48 } }],
    answers: [35],
  },
  {
    id: "easy-03",
    query:
      "The foot of a ladder stands 2.8 m from a wall and its tip touches the wall 9.6 m above " +
      "the ground. How long is the ladder, in metres?",
    calls: [{ tool: "hypotenuse", args: { a: 2.8, b: 9.6 } }],
    answers: [10],
  },
  {
    id: "easy-04",
    query:
      "Our chess club has 13 members. How many different teams of 4 players could it send to the " +
      "city league?",
    calls: [{ tool: "binomial_coefficient", args: { n: 13, k: 4 } }],
    answers: [715],
  },
  {
    id: "easy-05",
    query:
      "The rent of our flat went up from 840 to 903 euros a month. By how many percent is that?",
    calls: [{ tool: "percentage_change", args: { old_value: 840, new_value: 903 } }],
    answers: [7.5],
  },
  {
    id: "easy-06",
    query:
      "The passengers on the minibus are 34, 61, 19, 45, 27, 52, 38 and 70 years old. What is " +
      "their median age?",
    calls: [{ tool: "median", args: { numbers: [34, 61, 19, 45, 27, 52, 38, 70] } }],
    answers: [41.5],
  },
  {
    id: "easy-07",
    query:
      "An American recipe wants the oven at 356 degrees Fahrenheit. What temperature in degrees " +
      "Celsius do I set?",
    calls: [{ tool: "convert_fahrenheit_to_celsius", args: { fahrenheit: 356 } }],
    answers: [180],
  },
  {
    id: "easy-08",
    query:
      "Two lighthouses have just flashed together. One flashes every 42 seconds and the other " +
      "every 60 seconds. After how many seconds will they next flash at the same moment?",
    calls: [{ tool: "lcm", args: { a: 42, b: 60 } }],
    answers: [420],
  },
  {
    id: "easy-09",
    query:
      "A conical paper cup is 9 cm deep and its opening has a radius of 4 cm. How many cubic " +
      "centimetres does it hold when it is full to the brim?",
    calls: [{ tool: "volume_cone", args: { radius: 4, height: 9 } }],
    answers: [150.79644737231007],
  },
  {
    id: "easy-10",
    query:
      "I put 2,500 pounds into a savings account that pays 3.6 % interest a year, credited " +
      "monthly. What will the balance be after 5 years?",
    calls: [
      {
        tool: "compound_interest",
        args: { principal: 2500, rate: 0.036, times_compounded: 12, years: 5 },
      },
    ],
    answers: [2992.237007351698],
  },
  {
    id: "easy-11",
    query:
      "The first row of an open-air theatre has 18 seats, and every further row has 3 seats more " +
      "than the one before it. How many seats are there in row 24?",
    calls: [{ tool: "nth_term_arithmetic_sequence", args: { n: 24, a1: 18, d: 3 } }],
    answers: [87],
  },
  {
    id: "easy-12",
    query:
      "Add up the digits of 98,765, then the digits of what you get, and go on until only one " +
      "digit is left. Which digit is it?",
    calls: [{ tool: "digital_root", args: { number: 98765 } }],
    answers: [8],
  },
  {
    id: "easy-13",
    query:
      "Is 9,475 an Armstrong number, that is, does it equal the sum of the fourth powers of its " +
      "four digits? Answer true or false.",
    calls: [{ tool: "is_armstrong_number", args: { number: 9475 } }],
    answers: ["false"],
  },
  {
    id: "easy-14",
    query:
      "A laboratory weighed one parcel five times and read 12.1, 12.4, 11.9, 12.6 and 12.0 kg. " +
      "Taking the readings as a sample, what is their standard deviation in kilograms?",
    calls: [{ tool: "sample_standard_deviation", args: { numbers: [12.1, 12.4, 11.9, 12.6, 12] } }],
    answers: [0.2915475947422649],
  },
  {
    id: "easy-15",
    query:
      "On a map whose grid is in kilometres, the library lies at (-2, 5) and the station at " +
      "(6.5, -1). How many kilometres apart are they as the crow flies?",
    calls: [{ tool: "distance_between_points", args: { x1: -2, y1: 5, x2: 6.5, y2: -1 } }],
    answers: [10.404326023342406],
  },
  {
    id: "easy-16",
    query:
      "I cycled to the lake at 24 km/h and came back along the same road at 16 km/h. The " +
      "harmonic mean of the two is my true average speed; what is it in km/h?",
    calls: [{ tool: "harmonic_mean", args: { numbers: [24, 16] } }],
    answers: [19.2],
  },
  {
    id: "easy-17",
    query:
      "How many of the whole numbers from 1 to 540 have no divisor in common with 540 except 1?",
    calls: [{ tool: "euler_totient_function", args: { n: 540 } }],
    answers: [144],
  },
  {
    id: "easy-18",
    query:
      "Each cell of a steel grating is a regular hexagon with sides of 6 mm. What is the area of " +
      "one cell, in square millimetres?",
    calls: [{ tool: "area_of_hexagon", args: { side: 6 } }],
    answers: [93.53074360871938],
  },
  {
    id: "easy-19",
    query:
      "Our volunteers collected 127, 84, 92, 61 and 110 bottles on the five days. Only the even " +
      "ones of these counts are sponsored. How many bottles is that in total?",
    calls: [{ tool: "sum_of_even_numbers", args: { numbers: [127, 84, 92, 61, 110] } }],
    answers: [286],
  },
  {
    id: "easy-20",
    query: "To which power must 3 be raised so that the result is 59,049?",
    calls: [{ tool: "log", args: { number: 59049, base: 3 } }],
    answers: [10],
  },
];
