import type { WrittenPlans } from "./writtenPlans.js";

/** Tasks of two calls or a few more. */
export const MEDIUM: WrittenPlans = {
  "M.T.M.000": [
    ["area_rectangle", { length: 8, width: 5 }],
    ["sqrt", { number: "$$PREV[0]" }],
    ["circumference_circle", { radius: "$$PREV[1]" }],
  ],
  "M.T.M.001": [
    ["volume_cylinder", { radius: 3, height: 10 }],
    ["surface_area_sphere", { radius: 10 }],
  ],
  "M.T.M.002": [
    ["area_triangle", { base: 6, height: 9 }],
    ["volume_cone", { radius: 4, height: "$$PREV[0]" }],
  ],
  "M.T.M.003": [
    ["fibonacci_recursive", { n: 10 }],
    ["factorial", { number: 10 }],
    ["add", { a: "$$PREV[0]", b: "$$PREV[1]" }],
  ],
  "M.T.M.004": [
    ["area_of_ellipse", { major_axis: 7, minor_axis: 4 }],
    ["sqrt", { number: "$$PREV[0]" }],
    ["perimeter_of_hexagon", { side: "$$PREV[1]" }],
  ],
  "M.T.M.005": [
    ["area_square", { side_length: 6 }],
    ["sqrt", { number: "$$PREV[0]" }],
    ["volume_cube", { side_length: "$$PREV[1]" }],
  ],
  "M.T.M.006": [
    ["area_parallelogram", { base: 12, height: 5 }],
    ["sum_of_digits", { number: "$$PREV[0]" }],
  ],
  "M.T.M.007": [
    ["circumference_circle", { radius: 10 }],
    ["area_of_hexagon", { side: "$$PREV[0]" }],
  ],
  "M.T.M.008": [
    ["area_of_rhombus", { diagonal1: 10, diagonal2: 8 }],
    ["digital_root", { number: "$$PREV[0]" }],
  ],
  "M.T.M.009": [
    ["volume_of_pyramid", { base_area: 24, height: 9 }],
    ["nth_root", { number: "$$PREV[0]", root: 3 }],
  ],
  "M.T.M.010": [
    ["area_rectangle", { length: 8, width: 5 }],
    ["perimeter_rectangle", { length: 8, width: 5 }],
    ["power", { base: "$$PREV[0]", exponent: 2 }],
    ["power", { base: "$$PREV[1]", exponent: 2 }],
    ["add", { a: "$$PREV[2]", b: "$$PREV[3]" }],
  ],
  "M.T.M.011": [
    ["volume_cylinder", { radius: 4, height: 10 }],
    ["surface_area_of_cylinder", { radius: 4, height: 10 }],
    ["add", { a: "$$PREV[0]", b: "$$PREV[1]" }],
  ],
  "M.T.M.012": [
    ["perimeter_square", { side_length: 7 }],
    ["sum_of_digits", { number: "$$PREV[0]" }],
  ],
  "M.T.M.013": [
    ["area_of_ellipse", { major_axis: 10, minor_axis: 5 }],
    ["perimeter_of_ellipse", { major_axis: 10, minor_axis: 5 }],
    ["multiply", { a: "$$PREV[0]", b: "$$PREV[1]" }],
  ],
  "M.T.M.014": [
    ["area_square", { side_length: 6 }],
    ["perimeter_square", { side_length: 6 }],
    ["add", { a: "$$PREV[0]", b: "$$PREV[1]" }],
  ],
  "M.T.M.015": [
    ["area_triangle", { base: 12, height: 5 }],
    ["perimeter_triangle", { sides: [2, 3, 4] }],
    ["nth_root", { number: "$$PREV[0]", root: "$$PREV[1]" }],
  ],
  "M.T.M.016": [
    ["area_square", { side_length: 20 }],
    ["area_circle", { radius: 10 }],
    ["subtract", { a: "$$PREV[0]", b: "$$PREV[1]" }],
  ],
  "M.T.M.017": [
    ["area_of_hexagon", { side: 9 }],
    ["perimeter_of_hexagon", { side: 9 }],
    ["power", { base: "$$PREV[0]", exponent: 2 }],
    ["power", { base: "$$PREV[1]", exponent: 2 }],
    ["add", { a: "$$PREV[2]", b: "$$PREV[3]" }],
  ],
  "M.T.M.018": [
    ["area_circle", { radius: 5 }],
    ["circumference_circle", { radius: 5 }],
    ["nth_root", { number: "$$PREV[0]", root: "$$PREV[1]" }],
  ],
  "M.T.M.019": [
    ["surface_area_sphere", { radius: 6 }],
    ["volume_sphere", { radius: 6 }],
    ["divide", { a: "$$PREV[0]", b: "$$PREV[1]" }],
  ],
};
