import type { OfferedTool } from "../../../nodes/shared/stageInputs.js";

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
    name: "rectangleArea",
    description: "Calculate the area of a rectangle.",
    properties: { width: number("width of the rectangle"), length: number("length of it") },
    run: ({ width, length }) => Number(width) * Number(length),
  }),
  tool({
    name: "rectanglePerimeter",
    description: "Calculate the perimeter of a rectangle.",
    properties: { width: number("width of the rectangle"), length: number("length of it") },
    run: ({ width, length }) => 2 * (Number(width) + Number(length)),
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
  tool({
    name: "simpleInterest",
    description: "Calculate the simple interest on a loan.",
    properties: {
      years: number("how long, in years"),
      rate: number("annual interest rate as a fraction, 0.05 means 5 %"),
      principal: number("amount of money that is lent"),
    },
    run: ({ years, rate, principal }) => Number(principal) * Number(rate) * Number(years),
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
    name: "find_email_address",
    description: "Look up the email address of a colleague by name.",
    properties: { name: text("Name of the colleague") },
    run: () => "carlos@example.org",
  }),
  tool({
    name: "create_event",
    description: "Create a calendar event such as a meeting.",
    properties: {
      title: text("Title of the event"),
      date: text("Day of the event", { format: "date" }),
      start_time: text("Time at which it starts, HH:MM"),
      duration_minutes: { type: "integer", description: "Length in minutes" },
      attendees: { type: "array", items: { type: "string" }, description: "Who takes part" },
    },
    required: ["title", "date"],
  }),
  tool({
    name: "delete_event",
    description: "Delete an event from the calendar.",
    properties: { event_id: text("Id of the event") },
  }),
  tool({
    name: "get_weather",
    description: "Get the weather forecast for a city.",
    properties: {
      city: text("Name of the city"),
      unit: { type: "string", enum: ["celsius", "fahrenheit"], description: "Temperature unit" },
      days: { type: "integer", description: "Number of days to forecast" },
    },
    required: ["city"],
    run: () => ({ temperature: 21, sky: "clear" }),
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
    name: "count_words",
    description: "Count the words in a text.",
    properties: { text: text("The text") },
    run: ({ text: counted }) => String(counted).split(" ").length,
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
    name: "set_alarm",
    description: "Set an alarm clock.",
    properties: {
      time: text("Time at which it rings"),
      repeat: { type: "boolean", description: "Whether it repeats daily" },
    },
    required: ["time"],
  }),
  tool({
    name: "search_web",
    description: "Search the web.",
    properties: { query: text("What to search for") },
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
  tool({
    name: "update_profile",
    description: "Update the profile of a user.",
    properties: {
      user_id: text("Id of the user"),
      profile: {
        type: "object",
        description: "New values",
        properties: {
          age: { type: "integer", description: "Age in years" },
          city: text("City of residence"),
        },
      },
    },
  }),
  tool({
    name: "set_brightness",
    description: "Set the brightness of the lights in a room.",
    properties: {
      room: { type: "string", enum: ["kitchen", "living room"], description: "Room" },
      level: number("Brightness in percent, 0 to 100"),
    },
  }),
];
