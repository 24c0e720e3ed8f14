import type { WrittenPlans } from "./writtenPlans.js";

const FIRST_50_ODD_NUMBERS = Array.from({ length: 50 }, (_, at) => 2 * at + 1);

/** Tasks of one call. */
export const EASY: WrittenPlans = {
  "M.T.E.000": [["area_rectangle", { length: 8, width: 5 }]],
  "M.T.E.001": [["circumference_circle", { radius: 7 }]],
  "M.T.E.002": [["volume_sphere", { radius: 6 }]],
  "M.T.E.003": [["hypotenuse", { a: 9, b: 12 }]],
  "M.T.E.004": [["area_parallelogram", { base: 10, height: 7 }]],
  "M.T.E.005": [["area_of_hexagon", { side: 4 }]],
  "M.T.E.006": [["area_of_ellipse", { major_axis: 5, minor_axis: 2.5 }]],
  "M.T.E.007": [["area_square", { side_length: 15 }]],
  "M.T.E.008": [["area_of_rhombus", { diagonal1: 10, diagonal2: 8 }]],
  "M.T.E.009": [["area_triangle", { base: 12, height: 9 }]],
  "M.T.E.010": [["simple_interest", { principal: 5000, rate: 0.05, years: 3 }]],
  "M.T.E.011": [["factorial", { number: 7 }]],
  "M.T.E.012": [["sum_of_natural_numbers", { n: 100 }]],
  "M.T.E.013": [["volume_cone", { radius: 3, height: 5 }]],
  "M.T.E.014": [
    ["compound_interest", { principal: 2000, rate: 0.04, times_compounded: 1, years: 5 }],
  ],
  "M.T.E.015": [["digital_root", { number: 98765 }]],
  "M.T.E.016": [["surface_area_cube", { side_length: 4 }]],
  "M.T.E.017": [["perimeter_square", { side_length: 10 }]],
  "M.T.E.018": [["volume_cylinder", { radius: 5, height: 10 }]],
  "M.T.E.019": [["sum_of_odd_numbers", { numbers: FIRST_50_ODD_NUMBERS }]],
};
