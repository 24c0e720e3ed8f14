import { type CreationRequest, fails, gives } from "../request.js";

const wanted = { kind: "create" } as const;

const TEAMS = [
  { team: "a", points: 2, age: 20 },
  { team: "a", points: 4, age: 31 },
  { team: "b", points: 10, age: 40 },
];

/** Requests for tools that work on lists and nested objects. */
export const RECORDS: readonly CreationRequest[] = [
  {
    id: "merge-intervals",
    theme: "lists",
    query:
      "Create a tool that merges intervals of numbers. Input: a list of intervals, each a list of its start and its end. Intervals that overlap or touch become one. Result: the merged intervals in the same form, in the order of their starts. An interval that ends before it starts is an error.",
    wanted,
    start: [],
    checks: [
      gives(
        [
          [
            [1, 3],
            [2, 6],
            [8, 10],
          ],
        ],
        [
          [1, 6],
          [8, 10],
        ],
      ),
      gives(
        [
          [
            [1, 4],
            [4, 5],
          ],
        ],
        [[1, 5]],
      ),
      gives([[]], []),
      gives(
        [
          [
            [5, 6],
            [1, 2],
          ],
        ],
        [
          [1, 2],
          [5, 6],
        ],
      ),
      gives(
        [
          [
            [1, 10],
            [2, 3],
          ],
        ],
        [[1, 10]],
      ),
      gives([[[2, 2]]], [[2, 2]]),
      gives(
        [
          [
            [10, 12],
            [9, 11],
            [1, 2],
          ],
        ],
        [
          [1, 2],
          [9, 12],
        ],
      ),
      fails([[3, 1]]),
    ],
  },
  {
    id: "invoice-total",
    theme: "records",
    query:
      "Create a tool that computes the total of an invoice. Inputs, in this order: the invoice, an object with items, a list of objects with name, price and quantity, and optionally with discountPercent; and the tax in percent. The discount is taken off the sum of price times quantity, and the tax is added to what is left. Result: an object with net, tax and total, each rounded to two decimals; total is the sum of the rounded net and tax. A negative price, quantity or tax, and a discount outside 0 to 100, are errors.",
    wanted,
    start: [],
    checks: [
      gives(
        [
          invoice([
            [10, 2],
            [5.5, 1],
          ]),
          20,
        ],
        { net: 25.5, tax: 5.1, total: 30.6 },
      ),
      gives([invoice([[100, 1]], 10), 19], { net: 90, tax: 17.1, total: 107.1 }),
      gives([invoice([]), 19], { net: 0, tax: 0, total: 0 }),
      gives([invoice([[0.333, 3]]), 10], { net: 1, tax: 0.1, total: 1.1 }),
      gives([invoice([[7.25, 3]]), 0], { net: 21.75, tax: 0, total: 21.75 }),
      gives([invoice([[80, 1]], 100), 19], { net: 0, tax: 0, total: 0 }),
      fails(invoice([[-1, 1]]), 19),
      fails(invoice([[1, 1]], 120), 19),
      fails(invoice([[1, 1]]), -1),
    ],
  },
  {
    id: "group-means",
    theme: "records",
    query:
      "Create a tool that averages a figure by group. Inputs, in this order: a list of objects, whose fields are texts or numbers; the name of the field to group by; and the name of the field with the figure. Result: an object with one entry for each group: the mean of its figures. Objects without the field to group by are left out; in all others, a figure that is missing or no number is an error. An empty list gives an empty object.",
    wanted,
    start: [],
    checks: [
      gives([TEAMS, "team", "points"], { a: 3, b: 10 }),
      gives([TEAMS, "team", "age"], { a: 25.5, b: 40 }),
      gives([[], "team", "points"], {}),
      gives([[{ points: 1 }, { team: "a", points: 5 }], "team", "points"], { a: 5 }),
      gives([[{ team: "a", points: -0.5 }], "team", "points"], { a: -0.5 }),
      fails([{ team: "a" }], "team", "points"),
      fails([{ team: "a", points: "x" }], "team", "points"),
    ],
  },
];

/** An invoice whose items have these prices and quantities. */
function invoice(items: readonly (readonly [number, number])[], discountPercent?: number) {
  return {
    items: items.map(([price, quantity], at) => ({ name: `item ${at + 1}`, price, quantity })),
    ...(discountPercent === undefined ? {} : { discountPercent }),
  };
}
