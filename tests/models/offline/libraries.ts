import type { OfferedTool } from "../../../nodes/kit/stageInputs.js";

/** A tool for tests: what a model is shown, and what calling it gives. */
export interface TestTool extends OfferedTool {
  run: (args: Record<string, unknown>) => unknown;
}

interface Definition {
  name: string;
  description: string;
  properties: Record<string, Record<string, unknown>>;
  required?: string[];
  run?: TestTool["run"];
}

/** A tool whose parameters are all required unless it says otherwise. */
export function tool({ name, description, properties, required, run }: Definition): TestTool {
  return {
    name,
    description,
    parameters: {
      type: "object",
      properties,
      required: required ?? Object.keys(properties),
    },
    run: run ?? (() => "ok"),
  };
}

/** What a model is shown of a tool. */
export function shown({ name, description, parameters }: TestTool): OfferedTool {
  return { name, description, parameters };
}

export function text(description: string, more: Record<string, unknown> = {}) {
  return { type: "string", description, ...more };
}

export function number(description: string) {
  return { type: "number", description };
}

function two(run: (a: number, b: number) => number): TestTool["run"] {
  return ({ a, b }) => run(Number(a), Number(b));
}

/** Calculations under names of their own. */
export const CALCULATOR: TestTool[] = [
  tool({
    name: "plus",
    description: "Add two numbers and get their sum.",
    properties: { a: number("first number"), b: number("second number") },
    run: two((a, b) => a + b),
  }),
  tool({
    name: "minus",
    description: "Subtract one number from another: the difference of two numbers.",
    properties: { a: number("number to start with"), b: number("number that is taken away") },
    run: two((a, b) => a - b),
  }),
  tool({
    name: "times",
    description: "Multiply two numbers.",
    properties: { a: number("first factor"), b: number("second factor") },
    run: two((a, b) => a * b),
  }),
  tool({
    name: "divided_by",
    description: "Divide one number by another: their ratio.",
    properties: { a: number("dividend"), b: number("divisor") },
    run: two((a, b) => a / b),
  }),
  tool({
    name: "to_the_power",
    description: "Raise a number to the power of another.",
    properties: { base: number("the base"), exponent: number("the exponent") },
    run: ({ base, exponent }) => Number(base) ** Number(exponent),
  }),
  tool({
    name: "root",
    description: "Calculate the square root of a number.",
    properties: { x: number("the number, zero or more") },
    run: ({ x }) => {
      if (Number(x) < 0) throw new RangeError("a negative number has no real root");
      return Math.sqrt(Number(x));
    },
  }),
  tool({
    name: "circleArea",
    description: "Calculate the area of a circle.",
    properties: { radius: number("radius of the circle") },
    run: ({ radius }) => Math.PI * Number(radius) ** 2,
  }),
  tool({
    name: "trianglePerimeter",
    description: "Calculate the perimeter of a triangle.",
    properties: {
      sides: { type: "array", items: { type: "number" }, description: "side lengths" },
    },
    run: ({ sides }) => (Array.isArray(sides) ? sides.reduce((sum, side) => sum + side, 0) : 0),
  }),
];

const CURRENCIES = ["USD", "EUR", "GBP", "JPY"];

/** An office: texts, choices, dates, switches, lists and nested objects. */
export const OFFICE: TestTool[] = [
  tool({
    name: "send_email",
    description: "Send an email to a recipient.",
    properties: {
      recipient: text("E-mail address of the recipient"),
      subject: text("Subject line"),
      body: text("Text of the message"),
    },
    required: ["recipient", "body"],
  }),
  tool({
    name: "translate_text",
    description: "Translate a text into another language.",
    properties: {
      text: text("Text to translate"),
      target_language: { type: "string", enum: ["french", "german"], description: "Language" },
    },
    run: () => "bonjour",
  }),
  tool({
    name: "convert_currency",
    description: "Convert an amount of money from one currency to another.",
    properties: {
      amount: number("Amount of money"),
      from_currency: { type: "string", enum: CURRENCIES, description: "Currency to convert from" },
      to_currency: { type: "string", enum: CURRENCIES, description: "Currency to convert to" },
    },
    run: () => 91.5,
  }),
  tool({
    name: "book_flight",
    description: "Book a flight between two cities.",
    properties: {
      destination: text("City to fly to"),
      origin: text("City to fly from"),
      date: text("Day of departure"),
      passengers: { type: "integer", description: "Number of passengers" },
    },
    required: ["origin", "destination", "date"],
  }),
];
