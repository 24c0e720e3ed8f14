import { type CreationRequest, fails, gives } from "../request.js";

const wanted = { kind: "create" } as const;

/** Requests for tools that compute with dates, which are texts. */
export const DATES: readonly CreationRequest[] = [
  {
    id: "weekday",
    theme: "dates",
    query:
      "Create a tool that gives the English name of the weekday of a date, such as Monday. Input: the date as a text of the form YYYY-MM-DD; texts of any other form and dates that do not exist are errors.",
    wanted,
    start: [],
    checks: [
      gives(["2000-01-01"], "Saturday"),
      gives(["2024-02-29"], "Thursday"),
      gives(["1999-12-31"], "Friday"),
      gives(["1970-01-01"], "Thursday"),
      fails("2023-02-29"),
      fails("1900-02-29"),
      fails("2023-13-01"),
      fails("2023-1-5"),
      fails("yesterday"),
    ],
  },
  {
    id: "working-days",
    theme: "dates",
    query:
      "Create a tool that counts the working days, Monday to Friday, from one date to another, both included. Inputs, in this order: the first and the last date, as texts of the form YYYY-MM-DD. A last date before the first one, and a text that is no date of that form, are errors.",
    wanted,
    start: [],
    checks: [
      gives(["2024-01-01", "2024-01-07"], 5),
      gives(["2024-01-06", "2024-01-07"], 0),
      gives(["2024-01-05", "2024-01-08"], 2),
      gives(["2024-01-03", "2024-01-03"], 1),
      gives(["2024-02-26", "2024-03-01"], 5),
      gives(["2024-01-01", "2024-12-31"], 262),
      fails("2024-01-08", "2024-01-05"),
      fails("2024-02-30", "2024-03-01"),
    ],
  },
];
