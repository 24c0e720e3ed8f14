import type { SolvableTask } from "./solvableTask.js";

/** Hard tasks about rooms, grounds and bodies: plane and solid geometry, trigonometry. */
export const HARD_SHAPES: readonly SolvableTask[] = [
  {
    id: "hard-01",
    query:
      "A room measures 5.2 m by 3.8 m and its walls are 2.5 m high. Doors and windows take up " +
      "6.3 m², and one can of paint is enough for 9 m² of wall. How many cans have to be bought " +
      "for one coat on all four walls?",
    calls: [
      { tool: "perimeter_rectangle", args: { length: 5.2, width: 3.8 } },
      { tool: "multiply", args: { a: 18, b: 2.5 } },
      { tool: "subtract", args: { a: 45, b: 6.3 } },
      { tool: "divide", args: { a: 38.7, b: 9 } },
      { tool: "ceil_number", args: { number: 4.300000000000001 } },
    ],
    answers: [5],
  },
  {
    id: "hard-02",
    query:
      "A pizza with a radius of 14 cm costs 8.50 euros, one with a radius of 19 cm costs 12.90 " +
      "euros. How many square centimetres more per euro does the large one give, rounded to one " +
      "decimal place?",
    calls: [
      { tool: "area_circle", args: { radius: 14 } },
      { tool: "area_circle", args: { radius: 19 } },
      { tool: "divide", args: { a: 615.7521601035994, b: 8.5 } },
      { tool: "divide", args: { a: 1134.1149479459152, b: 12.9 } },
      { tool: "subtract", args: { a: 87.91588743766785, b: 72.44143060042346 } },
      { tool: "round_number", args: { number: 15.47445683724439, digits: 1 } },
    ],
    answers: [15.5],
  },
  {
    id: "hard-06",
    query:
      "Three huts lie at (0, 0), (9, 12) and (25, 0) on a grid of kilometres and are joined by " +
      "straight paths. How many kilometres is the round walk from hut to hut and back to the " +
      "start?",
    calls: [
      { tool: "distance_between_points", args: { x1: 0, y1: 0, x2: 9, y2: 12 } },
      { tool: "distance_between_points", args: { x1: 9, y1: 12, x2: 25, y2: 0 } },
      { tool: "distance_between_points", args: { x1: 25, y1: 0, x2: 0, y2: 0 } },
      { tool: "perimeter_triangle", args: { sides: [15, 20, 25] } },
    ],
    answers: [60],
  },
  {
    id: "hard-07",
    query:
      "Seen from the side, a swimming pool is a trapezoid whose parallel sides are its depths of " +
      "1.2 m and 2.8 m, 25 m apart. The pool is 10 m wide. A pump delivers 40 cubic metres an " +
      "hour and costs 6.40 euros an hour. What does it cost, in euros, to fill the empty pool?",
    calls: [
      { tool: "area_trapezoid", args: { base1: 1.2, base2: 2.8, height: 25 } },
      { tool: "volume_of_prism", args: { base_area: 50, height: 10 } },
      { tool: "divide", args: { a: 500, b: 40 } },
      { tool: "multiply", args: { a: 12.5, b: 6.4 } },
    ],
    answers: [80],
  },
  {
    id: "hard-09",
    query:
      "From a spot 80 m away on level ground, a surveyor sees the top of a tower at an angle of " +
      "32 degrees above the horizontal. Her eyes are 1.7 m above the ground. How tall is the " +
      "tower, in metres, rounded to one decimal place?",
    calls: [
      { tool: "degrees_to_radians", args: { degrees: 32 } },
      { tool: "tangent", args: { angle: 0.5585053606381855 } },
      { tool: "multiply", args: { a: 80, b: 0.6248693519093275 } },
      { tool: "add", args: { a: 49.989548152746195, b: 1.7 } },
      { tool: "round_number", args: { number: 51.6895481527462, digits: 1 } },
    ],
    answers: [51.7],
  },
  {
    id: "hard-15",
    query:
      "An oval lawn has semi-axes of 12 m and 7 m. A round pond with a radius of 2.5 m is cut " +
      "out of it, and the rest is sown with 0.035 kg of seed per square metre. How many " +
      "kilograms of seed are needed, rounded to one decimal place?",
    calls: [
      { tool: "area_of_ellipse", args: { major_axis: 12, minor_axis: 7 } },
      { tool: "area_circle", args: { radius: 2.5 } },
      { tool: "subtract", args: { a: 263.89378290154264, b: 19.634954084936208 } },
      { tool: "multiply", args: { a: 244.25882881660644, b: 0.035 } },
      { tool: "round_number", args: { number: 8.549059008581226, digits: 1 } },
    ],
    answers: [8.5],
  },
  {
    id: "hard-16",
    query:
      "A gift box in the form of a cube has a volume of 2,744 cubic centimetres. To wrap it one " +
      "needs as much paper as its surface, plus 20 percent for the overlap. How many square " +
      "centimetres of paper is that?",
    calls: [
      { tool: "nth_root", args: { number: 2744, root: 3 } },
      { tool: "surface_area_cube", args: { side_length: 14 } },
      { tool: "percentage_of", args: { percent: 20, number: 1176 } },
      { tool: "add", args: { a: 1176, b: 235.2 } },
    ],
    answers: [1411.2],
  },
  {
    id: "hard-19",
    query:
      "A cone with a radius of 3 cm and a depth of 11 cm is filled with ice cream, and half a " +
      "ball of ice cream of the same radius sits on top. How many cubic centimetres of ice cream " +
      "are there, rounded to the nearest whole number?",
    calls: [
      { tool: "volume_cone", args: { radius: 3, height: 11 } },
      { tool: "volume_sphere", args: { radius: 3 } },
      { tool: "divide", args: { a: 113.09733552923255, b: 2 } },
      { tool: "add", args: { a: 103.67255756846318, b: 56.548667764616276 } },
      { tool: "round_number", args: { number: 160.22122533307945, digits: 0 } },
    ],
    answers: [160],
  },
];
