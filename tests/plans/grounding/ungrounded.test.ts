import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { knownIn } from "../../../plans/grounding/sources.js";
import { ungroundedValues } from "../../../plans/grounding/ungrounded.js";

interface Given {
  said?: string[];
  results?: unknown[];
}

function ungrounded(answer: string, { said = [], results = [] }: Given): string[] {
  const known = knownIn({ texts: said, values: results });
  return ungroundedValues(answer, known).map(({ written }) => written.trim());
}

const ISSUES = [
  {
    id: "ISS-9",
    title: "Login fails on Safari",
    owner: "Freya Lund",
    due_on: "2023-11-30",
    hours: 4,
  },
  { id: "ISS-12", title: "Slow search", owner: "Noor Haddad", due_on: "2023-12-07", hours: 3.5 },
  { id: "ISS-30", title: "Crash on start", owner: "Freya Lund", due_on: "2024-01-02", hours: 1 },
];

describe("a value of an answer has a source", () => {
  it.each<[string, Given]>([
    ["It comes to $21.08, or 21.1, or about 20.", { results: [21.07844479350024] }],
    ["That is roughly 1.2 million, or 1.23 million.", { results: [1234567] }],
    ["The share is 15 %.", { results: [0.15] }],
    ["The rate is 0.05.", { said: ["At 5% interest"] }],
    [
      "It takes 12 eggs, that is 2 for each of the 3.",
      { said: ["A dozen eggs, two for each of three"] },
    ],
    ["It is due on 30 November 2023.", { results: ISSUES }],
    ["It is due on November 30th, 2023, in 2023.", { results: ISSUES }],
    ["It is due on 30.11.2023, at 3 pm.", { results: ["2023-11-30T15:00:00Z"] }],
    ["ISS-9 is due 7 days before ISS-12.", { results: ISSUES }],
    ["There are 3 issues, 2 of them Freya's.", { results: ISSUES }],
    ["They take 8.5 hours in all.", { results: [ISSUES] }],
    ["1. “Login fails on Safari” (ISS-9)\n2. Slow search", { results: ISSUES }],
    ["Step 1 gave 42, step 2 the same.", { results: [42] }],
    ['Moved "A" to the upper shelf, and "B" to the lower one.', { results: ["A", "B"] }],
    ["The volume is (4/3)πr³ = 904.78 cm³, with π as 3.1416.", { results: [904.7786842338604] }],
    [
      "Write to ann.lee@example.com, see https://example.com/a?b=1.",
      {
        results: [{ mail: "ann.lee@example.com", at: "https://example.com/a?b=1" }],
      },
    ],
    ["In the Safari issue Noor Haddad helps, due on Monday.", { results: ISSUES }],
    ["It follows Heron's formula, found by Newton.", { results: [18] }],
    ["It starts at 15:00 and ends at 15:45.", { results: ["15:00", 45] }],
    ["{{name}} stays as it is.", { said: ["Write a template with {{name}}"] }],
    ["Hello! How can I help you today?", {}],
  ])("%s", (answer, given) => {
    expect(ungrounded(answer, given)).toEqual([]);
  });
});

describe("a value of an answer has no source", () => {
  it.each<[string, Given, string[]]>([
    ["The area is 24.", { said: ["Sides of 3 and 6"], results: [18] }, ["24"]],
    ["It is 28.27.", { said: ["A circle of radius 3, plus 10"], results: [38.274] }, ["28.27"]],
    ["ISS-99 is closed.", { results: ISSUES }, ["ISS-99"]],
    ["It is due on 1 December 2023.", { results: [{ due: "2023-11-15" }] }, ["1 December 2023"]],
    [
      "See https://example.com/b.",
      { results: ["https://example.com/a"] },
      ["https://example.com/b"],
    ],
    ["It is titled “Login works on Safari”.", { results: ISSUES }, ["Login works on Safari"]],
    ["It belongs to Bruno, as far as is known.", { results: ISSUES }, ["Bruno"]],
    ["It is -5 %.", { results: [18] }, ["5 %"]],
  ])("%s", (answer, given, wanted) => {
    expect(ungrounded(answer, given)).toEqual(wanted);
  });

  it.each([
    "$$PREV[0]",
    "${PREV[1].name}",
    "{{steps[1].result}}",
    "[result of step 1]",
    "<result_of_step_1>",
    "[insert value]",
  ])("%s stands for one, and is none", (placeholder) => {
    expect(ungrounded(`It is ${placeholder}.`, { results: [18] })).toEqual([placeholder]);
  });
});

describe("numbers", () => {
  // What two decimals leave of a smaller number says nothing.
  const number = fc.double({ min: 0.04, max: 1e9, noNaN: true, noDefaultInfinity: true });

  it("of a source are known in every notation", () => {
    fc.assert(
      fc.property(number, fc.boolean(), fc.integer({ min: 2, max: 6 }), (value, sign, decimals) => {
        const results = [{ inner: [sign ? -value : value] }];
        const shortened = String(Number(value.toPrecision(decimals + 2)));
        const writings = [
          String(value),
          value.toFixed(decimals),
          value.toLocaleString("en-US", { maximumFractionDigits: decimals }),
          `${(value * 100).toFixed(decimals)} %`,
          // 30000 for 29995 might as well be a guess.
          ...(/^\d{1,2}0+$/.test(shortened) ? [] : [shortened]),
        ];
        for (const written of writings) {
          expect(ungrounded(`It is ${written}.`, { results })).toEqual([]);
        }
      }),
    );
  });

  it("far from all sources hardly ever are", () => {
    const drawn = fc.sample(
      fc.tuple(
        fc.array(fc.integer({ min: 100, max: 900 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 10_000, max: 99_999 }),
      ),
      500,
    );
    // A hundredfold is the same number in percent, and a few are those of a source in another unit: 4.184 kJ are a kcal.
    const far = drawn.filter(([known, made]) =>
      known.every((each) => Math.abs(made - 100 * each) > 100),
    );
    const taken = far.filter(
      ([known, made]) => ungrounded(`It is ${made}.`, { results: known }).length === 0,
    );
    expect(taken.length).toBeLessThan(far.length / 50);
  });
});

it("days of a source are known in every notation, and other days are not", () => {
  const days = fc.date({
    min: new Date("1990-01-01"),
    max: new Date("2060-01-01"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(days, (day) => {
      const iso = day.toISOString().slice(0, 10);
      const zone = { timeZone: "UTC" } as const;
      const writings = [
        iso,
        day.toLocaleDateString("en-GB", {
          ...zone,
          day: "numeric",
          month: "long",
          year: "numeric",
        }),
        day.toLocaleDateString("en-US", {
          ...zone,
          day: "numeric",
          month: "short",
          year: "numeric",
        }),
        day.toLocaleDateString("de-DE", zone),
      ];
      for (const written of writings) {
        expect(ungrounded(`It was ${written}, they say.`, { results: [iso] })).toEqual([]);
      }
      const other = new Date(day.getTime() + 40 * 86_400_000).toISOString().slice(0, 10);
      expect(ungrounded(`It was ${other}.`, { results: [iso] })).toEqual([other]);
    }),
  );
});
