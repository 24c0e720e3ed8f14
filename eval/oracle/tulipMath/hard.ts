import type { WrittenPlans } from "./writtenPlans.js";

/** Tasks of three to six calls. */
export const HARD: WrittenPlans = {
  "M.T.H.000": [
    ["quadratic_formula", { a: 1, b: 50, c: -15000 }],
    ["add", { a: "$$PREV[0].real_roots[1]", b: 50 }],
    ["perimeter_rectangle", { length: "$$PREV[1]", width: "$$PREV[0].real_roots[1]" }],
  ],
  "M.T.H.001": [
    ["area_rectangle", { length: 56, width: 36 }],
    ["area_rectangle", { length: 50, width: 30 }],
    ["subtract", { a: "$$PREV[0]", b: "$$PREV[1]" }],
  ],
  "M.T.H.002": [
    ["sum_of_digits", { number: 123 }],
    ["factorial", { number: "$$PREV[0]" }],
    ["digital_root", { number: "$$PREV[1]" }],
    ["is_prime", { number: "$$PREV[2]" }],
  ],
  "M.T.H.003": [
    ["area_circle", { radius: 5 }],
    ["area_square", { side_length: 5 }],
    ["area_of_hexagon", { side: 5 }],
    ["add", { a: "$$PREV[0]", b: "$$PREV[1]" }],
    ["add", { a: "$$PREV[3]", b: "$$PREV[2]" }],
  ],
  "M.T.H.004": [
    ["area_square", { side_length: 12 }],
    ["area_circle", { radius: 8 }],
    ["subtract", { a: "$$PREV[1]", b: "$$PREV[0]" }],
    ["sqrt", { number: "$$PREV[2]" }],
  ],
  "M.T.H.005": [
    ["area_parallelogram", { base: 40, height: 30 }],
    ["area_rectangle", { length: 30, width: 25 }],
    ["subtract", { a: "$$PREV[0]", b: "$$PREV[1]" }],
    ["sqrt", { number: "$$PREV[2]" }],
  ],
  "M.T.H.006": [
    ["multiply", { a: 10, b: 1.05 }],
    ["area_square", { side_length: "$$PREV[0]" }],
    ["area_square", { side_length: 10 }],
    ["subtract", { a: "$$PREV[1]", b: "$$PREV[2]" }],
    ["sqrt", { number: "$$PREV[3]" }],
  ],
  "M.T.H.007": [
    ["convert_celsius_to_fahrenheit", { celsius: 15 }],
    ["add", { a: "$$PREV[0]", b: 10 }],
    ["convert_fahrenheit_to_celsius", { fahrenheit: "$$PREV[1]" }],
    ["subtract", { a: "$$PREV[2]", b: 10 }],
  ],
  "M.T.H.008": [
    ["area_square", { side_length: 10 }],
    ["area_circle", { radius: 4 }],
    ["subtract", { a: "$$PREV[0]", b: "$$PREV[1]" }],
    ["multiply", { a: "$$PREV[2]", b: 100 }],
    ["multiply", { a: "$$PREV[1]", b: 50 }],
    ["add", { a: "$$PREV[3]", b: "$$PREV[4]" }],
  ],
  "M.T.H.009": [
    ["multiply", { a: 500000, b: 2 }],
    ["compound_interest", { principal: "$$PREV[0]", rate: 0.11, times_compounded: 1, years: 10 }],
    ["compound_interest", { principal: "$$PREV[0]", rate: 0.1, times_compounded: 1, years: 10 }],
    ["subtract", { a: "$$PREV[1]", b: "$$PREV[2]" }],
  ],
  "M.T.H.010": [
    ["area_rectangle", { length: 30, width: 20 }],
    ["area_square", { side_length: 5 }],
    ["subtract", { a: "$$PREV[0]", b: "$$PREV[1]" }],
    ["divide", { a: "$$PREV[2]", b: 100 }],
  ],
  "M.T.H.011": [
    ["volume_cylinder", { radius: 5, height: 10 }],
    ["volume_sphere", { radius: 3 }],
    ["subtract", { a: "$$PREV[0]", b: "$$PREV[1]" }],
    ["area_circle", { radius: 5 }],
    ["divide", { a: "$$PREV[2]", b: "$$PREV[3]" }],
  ],
  "M.T.H.012": [
    ["area_of_rhombus", { diagonal1: 10, diagonal2: 12 }],
    ["area_rectangle", { length: 8, width: 6 }],
    ["subtract", { a: "$$PREV[0]", b: "$$PREV[1]" }],
    ["divide", { a: "$$PREV[2]", b: 0.3 }],
  ],
  "M.T.H.013": [
    ["area_square", { side_length: 10 }],
    ["area_circle", { radius: 5 }],
    ["subtract", { a: "$$PREV[0]", b: "$$PREV[1]" }],
    ["divide", { a: "$$PREV[2]", b: 4 }],
  ],
  "M.T.H.014": [
    ["volume_sphere", { radius: 0.5 }],
    ["multiply", { a: "$$PREV[0]", b: 20 }],
    ["volume_cylinder", { radius: 1, height: 2 }],
    ["add", { a: "$$PREV[1]", b: "$$PREV[2]" }],
  ],
  "M.T.H.015": [
    ["area_circle", { radius: 5 }],
    ["area_square", { side_length: 8 }],
    ["area_of_hexagon", { side: 6 }],
    ["standard_deviation", { numbers: ["$$PREV[0]", "$$PREV[1]", "$$PREV[2]"] }],
  ],
  "M.T.H.016": [
    ["power", { base: 5, exponent: 2 }],
    ["subtract", { a: 6, b: 2 }],
    ["sqrt", { number: "$$PREV[1]" }],
    ["add", { a: "$$PREV[0]", b: "$$PREV[2]" }],
  ],
  "M.T.H.017": [
    ["area_square", { side_length: 20 }],
    ["multiply", { a: "$$PREV[0]", b: 10 }],
    ["area_rectangle", { length: 40, width: 10 }],
    ["multiply", { a: "$$PREV[2]", b: 8 }],
    ["subtract", { a: "$$PREV[1]", b: "$$PREV[3]" }],
  ],
  "M.T.H.018": [
    ["area_rectangle", { length: 60, width: 40 }],
    ["area_rectangle", { length: 20, width: 10 }],
    ["add", { a: "$$PREV[0]", b: "$$PREV[1]" }],
  ],
  "M.T.H.019": [
    ["surface_area_of_cylinder", { radius: 3, height: 8 }],
    ["area_square", { side_length: 5 }],
    ["surface_area_of_prism", { base_perimeter: 20, base_area: "$$PREV[1]", height: 8 }],
    ["add", { a: "$$PREV[0]", b: "$$PREV[2]" }],
  ],
};
