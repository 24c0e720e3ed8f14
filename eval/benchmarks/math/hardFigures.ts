import type { SolvableTask } from "./solvableTask.js";

/** Hard tasks about money, measurements, chances and whole numbers. */
export const HARD_FIGURES: readonly SolvableTask[] = [
  {
    id: "hard-03",
    query:
      "Five candidates scored 62, 71, 75, 80 and 92 points. Taking them as the whole population, " +
      "how many standard deviations does the score of 92 lie above the mean? Round to two " +
      "decimal places.",
    calls: [
      { tool: "mean", args: { numbers: [62, 71, 75, 80, 92] } },
      { tool: "standard_deviation", args: { numbers: [62, 71, 75, 80, 92] } },
      { tool: "subtract", args: { a: 92, b: 76 } },
      { tool: "divide", args: { a: 16, b: 9.939818911831342 } },
      { tool: "round_number", args: { number: 1.6096872731710674, digits: 2 } },
    ],
    answers: [1.61],
  },
  {
    id: "hard-04",
    query:
      "I invest 3,000 dollars for 6 years at 5 % a year, compounded quarterly. At the end 25 " +
      "percent of the interest earned goes to the tax office. How many dollars do I have left in " +
      "all, rounded to cents, that is two decimal places?",
    calls: [
      {
        tool: "compound_interest_earned",
        args: { principal: 3000, rate: 0.05, times_compounded: 4, years: 6 },
      },
      { tool: "percentage_of", args: { percent: 25, number: 1042.0531512430498 } },
      { tool: "subtract", args: { a: 1042.0531512430498, b: 260.51328781076245 } },
      { tool: "add", args: { a: 3000, b: 781.5398634322873 } },
      { tool: "round_number", args: { number: 3781.5398634322873, digits: 2 } },
    ],
    answers: [3781.54],
  },
  {
    id: "hard-05",
    query:
      "Take the 50th and the 60th prime number and multiply the two. What is the sum of the " +
      "digits of the product?",
    calls: [
      { tool: "nth_prime", args: { n: 50 } },
      { tool: "nth_prime", args: { n: 60 } },
      { tool: "multiply", args: { a: 229, b: 281 } },
      { tool: "sum_of_digits", args: { number: 64349 } },
    ],
    answers: [26],
  },
  {
    id: "hard-08",
    query:
      "A greenhouse logger recorded 41, 68, 59, 77 and 50 degrees Fahrenheit. Convert the lowest " +
      "and the highest of these readings to Celsius. How many degrees Celsius lie between them?",
    calls: [
      { tool: "minimum", args: { numbers: [41, 68, 59, 77, 50] } },
      { tool: "maximum", args: { numbers: [41, 68, 59, 77, 50] } },
      { tool: "convert_fahrenheit_to_celsius", args: { fahrenheit: 41 } },
      { tool: "convert_fahrenheit_to_celsius", args: { fahrenheit: 77 } },
      { tool: "subtract", args: { a: 25, b: 5 } },
    ],
    answers: [20],
  },
  {
    id: "hard-10",
    query:
      "Firm A pays 32,000 euros in the first year and adds 1,200 euros every year. Firm B also " +
      "starts at 32,000 euros but multiplies the salary by 1.03 every year. How many euros more " +
      "does A pay than B in year 8, rounded to two decimal places?",
    calls: [
      { tool: "nth_term_arithmetic_sequence", args: { n: 8, a1: 32000, d: 1200 } },
      { tool: "nth_term_geometric_sequence", args: { n: 8, a1: 32000, r: 1.03 } },
      { tool: "subtract", args: { a: 40400, b: 39355.96369359585 } },
      { tool: "round_number", args: { number: 1044.0363064041521, digits: 2 } },
    ],
    answers: [1044.04],
  },
  {
    id: "hard-11",
    query:
      "My way to work took 22, 25, 24, 27, 23 and 59 minutes. By how many percent does the " +
      "population variance of these times change when the 59 is left out? Round to a whole " +
      "number; a fall is negative.",
    calls: [
      { tool: "variance", args: { numbers: [22, 25, 24, 27, 23, 59] } },
      { tool: "variance", args: { numbers: [22, 25, 24, 27, 23] } },
      { tool: "percentage_change", args: { old_value: 170.66666666666666, new_value: 2.96 } },
      { tool: "round_number", args: { number: -98.26562499999999, digits: 0 } },
    ],
    answers: [-98],
  },
  {
    id: "hard-12",
    query:
      "A drawer holds 7 black and 5 white socks. I take out 3 socks without looking. What is the " +
      "probability that all of them are black, as a decimal fraction rounded to three places?",
    calls: [
      { tool: "add", args: { a: 7, b: 5 } },
      { tool: "binomial_coefficient", args: { n: 7, k: 3 } },
      { tool: "binomial_coefficient", args: { n: 12, k: 3 } },
      { tool: "divide", args: { a: 35, b: 220 } },
      { tool: "round_number", args: { number: 0.1590909090909091, digits: 3 } },
    ],
    answers: [0.159],
  },
  {
    id: "hard-13",
    query:
      "5,000 euros lie for 8 years at 4 % a year. How many euros more do they earn with interest " +
      "compounded once a year than with simple interest, on average per year and rounded to two " +
      "decimal places?",
    calls: [
      {
        tool: "compound_interest_earned",
        args: { principal: 5000, rate: 0.04, times_compounded: 1, years: 8 },
      },
      { tool: "simple_interest", args: { principal: 5000, rate: 0.04, years: 8 } },
      { tool: "subtract", args: { a: 1842.8452520263709, b: 1600 } },
      { tool: "divide", args: { a: 242.84525202637087, b: 8 } },
      { tool: "round_number", args: { number: 30.35565650329636, digits: 2 } },
    ],
    answers: [30.36],
  },
  {
    id: "hard-14",
    query:
      "Divide the least common multiple of 1,386 and 3,213 by their greatest common divisor. How " +
      "many divisors does the quotient have?",
    calls: [
      { tool: "lcm", args: { a: 1386, b: 3213 } },
      { tool: "gcd", args: { a: 1386, b: 3213 } },
      { tool: "divide", args: { a: 70686, b: 63 } },
      { tool: "number_of_divisors", args: { n: 1122 } },
    ],
    answers: [16],
  },
  {
    id: "hard-17",
    query:
      "Add the sum of all divisors of 2,386 to the count of whole numbers from 1 to 2,386 that " +
      "are coprime to 2,386. Is the total a palindrome? Answer true or false.",
    calls: [
      { tool: "sum_of_divisors", args: { n: 2386 } },
      { tool: "euler_totient_function", args: { n: 2386 } },
      { tool: "add", args: { a: 3582, b: 1192 } },
      { tool: "is_palindrome", args: { number: 4774 } },
    ],
    answers: ["true"],
  },
  {
    id: "hard-18",
    query:
      "An electrician reads the four voltages 3, 5, 7 and 9. What is their root mean square: the " +
      "square root of the sum of their squares divided by four? Round to three decimal places.",
    calls: [
      { tool: "sum_of_squares_of_list", args: { numbers: [3, 5, 7, 9] } },
      { tool: "divide", args: { a: 164, b: 4 } },
      { tool: "sqrt", args: { number: 41 } },
      { tool: "round_number", args: { number: 6.4031242374328485, digits: 3 } },
    ],
    answers: [6.403],
  },
  {
    id: "hard-20",
    query:
      "A courier drives three stages of equal length at 40, 60 and 120 km/h. By how many percent " +
      "is the arithmetic mean of the three speeds above their harmonic mean, the true average? " +
      "Round to one decimal place.",
    calls: [
      { tool: "mean", args: { numbers: [40, 60, 120] } },
      { tool: "harmonic_mean", args: { numbers: [40, 60, 120] } },
      { tool: "percentage_change", args: { old_value: 60, new_value: 73.33333333333333 } },
      { tool: "round_number", args: { number: 22.222222222222214, digits: 1 } },
    ],
    answers: [22.2],
  },
];
