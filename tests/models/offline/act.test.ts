import * as fc from "fast-check";
import { evaluate } from "mathjs/number";
import { describe, expect, it } from "vitest";
import type { ActInput } from "../../../nodes/acting/actInput.js";
import { callsOf } from "./callsOf.js";
import { CALCULATOR, OFFICE, number, shown, tool } from "./libraries.js";
import { solve } from "./solve.js";

describe("acting without the tool for a step", () => {
  const lacking = CALCULATOR.filter(({ name }) => name !== "times").map(shown);
  const input: ActInput = {
    request: "What is 7 * 8?",
    steps: [],
    missed: [],
    tools: lacking,
    observations: [],
    earlierTurns: [],
    searched: ["What is 7 * 8?"],
  };
  const task = { text: input.request, earlierResults: [] };

  it.each([
    ["a run", {}],
    ["a search over steps", { search: { attempts: [] } }],
    ["a task of a tree", { task }],
  ])("searches for it in general words in %s, and calls it once it is found", async (_, where) => {
    const asked = await callsOf({ ...input, ...where });
    const args = { action_descriptions: ["multiply two numbers"] };
    expect(asked).toMatchObject([{ name: "search_tools", args }]);
    const [call] = await callsOf({ ...input, ...where, tools: CALCULATOR.map(shown) });
    expect(call).toMatchObject({ name: "times", args: { a: 7, b: 8 } });
  });

  it("searches once, and only if it may", async () => {
    const searched = [input.request, "Multiply two numbers"];
    expect(await callsOf({ ...input, searched })).toMatchObject([{ name: "stop" }]);
    const { searched: _, ...published } = input;
    expect(await callsOf(published)).toMatchObject([{ name: "stop" }]);
  });
});

describe("acting with calculations", () => {
  it("makes one call and stops for a request of one step", async () => {
    const request = "Calculate the area of a rectangle with a length of 8 m and a width of 5 m.";
    const solved = await solve({ request, tools: CALCULATOR });
    expect(solved).toMatchObject({ acts: 2, solved: true, message: "The result is 40." });
    expect(solved.observations[0]).toMatchObject({
      tool: "rectangleArea",
      args: { width: 5, length: 8 },
    });
  });

  it("prints big whole numbers plainly and in full", async () => {
    const solved = await solve({ request: "What is 45342 * 23487 + 32478?", tools: CALCULATOR });
    expect(solved.message).toBe("The result is 1064980032.");
    expect(solved.acts).toBe(3);
  });

  it.each([
    ["Solve 5**2+sqrt(6-2)", 27],
    ["Find the sum of the area and the perimeter of a rectangle with length 4 and width 3.", 26],
    ["Subtract 3 from 10, then multiply the result by 2.", 14],
    ["What is the difference between 3 and 10?", 7],
    ["What is the perimeter of a triangle with sides 2, 3 and 4?", 9],
    ["What is the simple interest on a loan of $5000 at a rate of 5% over 3 years?", 750],
    [
      "Calculate the area of a rectangle with length 8 and width 2, then find the square root of the rectangle's area.",
      4,
    ],
    [
      "What is the ratio of the area of a rectangle with length 8 and width 2 to its perimeter?",
      0.8,
    ],
  ])("%s", async (request, expected) => {
    const { message, solved } = await solve({ request, tools: CALCULATOR });
    expect(solved).toBe(true);
    expect(message).toBe(`The result is ${expected}.`);
  });

  it("makes independent calculations in one message and lets dependent ones wait", async () => {
    const solved = await solve({ request: "What is (2 + 3) * (4 + 5)?", tools: CALCULATOR });
    expect(solved).toMatchObject({ acts: 3, message: "The result is 45." });
    expect(solved.observations.map((one) => one.tool)).toEqual(["plus", "plus", "times"]);
  });

  it("does not replace a missing operation by another", async () => {
    const tools = CALCULATOR.filter(({ name }) => name !== "times");
    const solved = await solve({ request: "What is 7 * 8?", tools });
    expect(solved).toMatchObject({ acts: 1, solved: false, observations: [] });
  });

  it("says which step failed when no tool fits, and does not claim success", async () => {
    const solved = await solve({ request: "Book a table for two", tools: CALCULATOR });
    expect(solved).toMatchObject({ acts: 1, solved: false });
    expect(solved.message).toMatch(/step 1 \(Book a table for two\)/);
  });

  it("says which value is missing when arguments cannot be filled", async () => {
    const solved = await solve({ request: "Find the area of a circle.", tools: CALCULATOR });
    expect(solved.solved).toBe(false);
    expect(solved.message).toMatch(/radius of circleArea/);
  });

  it("gives up after one repair when tools fail", async () => {
    const broken = CALCULATOR.map((one) => ({
      ...one,
      run: () => {
        throw new Error("out of order");
      },
    }));
    const solved = await solve({ request: "What is 2 + 3?", tools: broken });
    expect(solved.solved).toBe(false);
    expect(solved.message).toMatch(/out of order/);
    expect(solved.observations.length).toBeLessThanOrEqual(2);
  });

  it("takes the next best tool when the best one fails", async () => {
    const twin = tool({
      name: "addition",
      description: "Add two numbers and get the sum of both.",
      properties: { a: number("first number"), b: number("second number") },
      run: ({ a, b }) => Number(a) + Number(b),
    });
    const broken = tool({
      name: "add_two_numbers",
      description: "Add two numbers.",
      properties: { a: number("first number"), b: number("second number") },
      run: () => {
        throw new Error("out of order");
      },
    });
    const solved = await solve({ request: "What is 2 + 3?", tools: [broken, twin] });
    expect(solved).toMatchObject({ solved: true, message: "The result is 5." });
  });

  it("takes numbers only from the request and from results", async () => {
    const operators = fc.constantFrom("+", "*", "-");
    await fc.assert(
      fc.asyncProperty(
        fc.nat(999),
        operators,
        fc.nat(999),
        operators,
        fc.nat(999),
        async (a, x, b, y, c) => {
          const { observations, message } = await solve({
            request: `What is ${a} ${x} ${b} ${y} ${c}?`,
            tools: CALCULATOR,
          });
          const known = new Set([a, b, c, ...observations.map(({ result }) => Number(result))]);
          for (const { args } of observations) {
            for (const value of Object.values(args)) expect(known).toContain(value);
          }
          expect(message).toBe(`The result is ${String(evaluate(`${a} ${x} ${b} ${y} ${c}`))}.`);
        },
      ),
      { numRuns: 25 },
    );
  });
});

it("reads a choice by the name that its description gives it", async () => {
  const tools = [
    tool({
      name: "shippingCost",
      description: "Shipping cost of a parcel by its size and weight",
      properties: {
        size: {
          type: "string",
          enum: ["S", "L"],
          description: "parcel size (S = Small, L = Large)",
        },
        weight: number("weight in kilograms"),
      },
      run: ({ size, weight }) => `${String(size)}${String(weight)}`,
    }),
  ];
  const request = "What is the shipping cost of a large parcel with a weight of 3 kilograms?";
  const { observations } = await solve({ request, tools });
  expect(observations).toMatchObject([{ args: { size: "L", weight: 3 } }]);
});

describe("acting in an office", () => {
  it.each<[string, string, Record<string, unknown>]>([
    [
      'Send an email to bob@example.com with subject "Report" and body "It is ready."',
      "send_email",
      { recipient: "bob@example.com", subject: "Report", body: "It is ready." },
    ],
    ["What is the weather in Paris?", "get_weather", { city: "Paris" }],
    [
      "What's the weather forecast for New York for the next 3 days in fahrenheit?",
      "get_weather",
      { city: "New York", unit: "fahrenheit", days: 3 },
    ],
    [
      'Schedule a meeting called "Budget" on 2026-03-05 at 14:00 for 45 minutes with Alice, Bob and Carol.',
      "create_event",
      {
        title: "Budget",
        date: "2026-03-05",
        start_time: "14:00",
        duration_minutes: 45,
        attendees: ["Alice", "Bob", "Carol"],
      },
    ],
    [
      "Convert 100 USD to EUR.",
      "convert_currency",
      { amount: 100, from_currency: "USD", to_currency: "EUR" },
    ],
    ["Set an alarm for 7:30 that repeats.", "set_alarm", { time: "7:30", repeat: true }],
    ["Set an alarm for 7:30 that does not repeat.", "set_alarm", { time: "7:30", repeat: false }],
    ["Search the web for cheap laptops", "search_web", { query: "cheap laptops" }],
    [
      "Book a flight from Berlin to Madrid on May 5th for 2 passengers.",
      "book_flight",
      { destination: "Madrid", origin: "Berlin", date: "May 5th", passengers: 2 },
    ],
    ["Delete the event ev1", "delete_event", { event_id: "ev1" }],
    [
      "Update the profile of user u42: age 31, city Rome",
      "update_profile",
      { user_id: "u42", profile: { age: 31, city: "Rome" } },
    ],
    [
      "Set the brightness in the living room to 40%",
      "set_brightness",
      { room: "living room", level: 40 },
    ],
  ])("%s", async (request, name, args) => {
    const solved = await solve({ request, tools: OFFICE });
    expect(solved.observations).toMatchObject([{ tool: name }]);
    expect(solved.observations[0]?.args).toEqual(args);
    expect(solved.solved).toBe(true);
  });

  it("uses an earlier result for a person that a later command points at", async () => {
    const request =
      'Find the email address of Carlos and send him an email saying "See you at noon".';
    const { observations } = await solve({ request, tools: OFFICE });
    expect(observations.map((one) => one.tool)).toEqual(["find_email_address", "send_email"]);
    expect(observations[1]?.args).toEqual({
      recipient: "carlos@example.org",
      body: "See you at noon",
    });
  });

  it("knows the result of an action by its noun", async () => {
    const request =
      'Translate "good morning" into French, then count the words in the translation.';
    const solved = await solve({ request, tools: OFFICE });
    expect(solved.observations[1]).toMatchObject({
      tool: "count_words",
      args: { text: "bonjour" },
    });
    expect(solved.message).toBe("The result is 1.");
  });

  it("does actions that may change something one at a time", async () => {
    const solved = await solve({
      request: "Delete the event ev1 and set an alarm for 6am",
      tools: OFFICE,
    });
    expect(solved).toMatchObject({ acts: 3, solved: true });
  });
});

describe("acting on any input", () => {
  it("ends within a bounded number of acts whatever the request and the tools do", async () => {
    const words = fc.constantFrom(
      "add",
      "the",
      "result",
      "of",
      "step",
      "2",
      "99",
      "and",
      "then",
      "it",
      "area",
      "with",
      ",",
      "sum",
      "circle",
      "?",
      "-",
      "find",
    );
    const outcomes = fc.constantFrom<unknown>(
      null,
      "",
      "text",
      Number.NaN,
      [],
      {},
      [1, 2],
      { a: 1 },
      undefined,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 14 }), outcomes, async (said, outcome) => {
        const tools = CALCULATOR.map((one) => ({ ...one, run: () => outcome }));
        const solved = await solve({ request: said.join(" "), tools });
        expect(solved.acts).toBeLessThanOrEqual(2 * solved.steps.length + 1);
      }),
      { numRuns: 60 },
    );
  }, 300_000);

  it("fails a step that refers to a step that is not before it", async () => {
    const steps = ["add 1 to the result of step 2", "add 2 to the result of step 7"];
    const solved = await solve({ request: "…", steps, tools: CALCULATOR });
    expect(solved).toMatchObject({ acts: 1, solved: false });
  });
});
