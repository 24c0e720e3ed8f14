import { describe, expect, it } from "vitest";
import { amountsIn } from "../../../models/offline/amounts.js";
import { splitRequest } from "../../../models/offline/clauses.js";
import { factsAbout, readGiven, withGiven } from "../../../models/offline/given.js";
import { factualPhrase } from "../../../models/offline/phrases.js";
import { CALCULATOR, number, tool } from "./libraries.js";
import { solve } from "./solve.js";

const MEAN = tool({
  name: "mean",
  description: "Calculate the mean of a list of numbers.",
  properties: { values: { type: "array", items: { type: "number" }, description: "the numbers" } },
  run: ({ values }) => {
    const list = Array.isArray(values) ? values.map(Number) : [];
    return list.reduce((sum, value) => sum + value, 0) / list.length;
  },
});
const CELSIUS = tool({
  name: "fahrenheitToCelsius",
  description: "Convert a temperature from degrees Fahrenheit to degrees Celsius.",
  properties: { fahrenheit: number("temperature in degrees Fahrenheit") },
  run: ({ fahrenheit }) => ((Number(fahrenheit) - 32) * 5) / 9,
});
const CONE = tool({
  name: "coneVolume",
  description: "Calculate the volume of a cone.",
  properties: { radius: number("radius of the base"), height: number("height of the cone") },
  run: ({ radius, height }) => (Math.PI * Number(radius) ** 2 * Number(height)) / 3,
});
const CYLINDER = tool({
  name: "cylinderVolume",
  description: "Calculate the volume of a cylinder.",
  properties: { radius: number("radius of the base"), height: number("its height") },
  run: ({ radius, height }) => Math.PI * Number(radius) ** 2 * Number(height),
});
const TOOLS = [...CALCULATOR, MEAN, CELSIUS, CONE, CYLINDER];

describe("facts outside the question's sentence", () => {
  it.each<[string, number]>([
    ["A shop sells pens at 3 dollars each. Ana buys 14 of them. How much does she pay?", 42],
    [
      "Tom reads twelve pages a day. His holiday lasts nine days. How many pages does he read?",
      108,
    ],
    ["A box holds 6 eggs. A farmer has 90 eggs. How many boxes does he need?", 15],
    [
      "Mia has 250 dollars in her account. She spends 75 dollars on shoes. How much money is left?",
      175,
    ],
    ["A swimming pool is 25 meters long and 10 meters wide. What is the area of the pool?", 250],
    ["What is the area of the pool? The pool is 25 meters long. It is 10 meters wide.", 250],
    [
      "Omar lends 2000 dollars to his brother. They agree on a simple interest rate of 4% per year. The loan runs for 3 years. How much interest does the brother owe?",
      240,
    ],
    ["Five friends are 21, 25, 30, 34 and 40 years old. What is their mean age?", 30],
    [
      "What is the volume of the tank? The tank is a cylinder with a radius of 2 meters. Its height is 5 meters.",
      Math.PI * 20,
    ],
  ])("flow into its step: %s", async (request, expected) => {
    const { message, solved } = await solve({ request, tools: TOOLS });
    expect(message).toBe(`The result is ${expected}.`);
    expect(solved).toBe(true);
  });

  it.each<[string, number, string]>([
    [
      "The thermometer shows 68 degrees Fahrenheit and the humidity is 60%. What is the temperature in Celsius?",
      20,
      "60%",
    ],
    [
      "A class of 24 children goes to the zoo. The bus has 50 seats and leaves at 8. A ticket costs 7 dollars per child. How much do all tickets cost?",
      168,
      "50 seats",
    ],
    [
      "A garden has a length of 9 meters and a width of 4 meters. What is the square root of 81?",
      9,
      "9 meters",
    ],
  ])("are named where nothing was done with them: %s", async (request, expected, unused) => {
    const { message, solved } = await solve({ request, tools: TOOLS });
    expect(message).toContain(`The result is ${expected}.`);
    expect(message).toContain(unused);
    expect(solved).toBe(false);
  });

  it.each([
    // More candidates than parameters.
    "One card shows 84. Another card shows 17. What is the square root of the number?",
    // Two lists.
    "Class A scored 3, 5 and 7. Class B scored 4, 6 and 9. What is the mean?",
    // Measured in other units than the rate.
    "A plane flies 800 kilometers per hour for 90 minutes. How far does it fly?",
    // An amount of the asked unit is left over, and a percentage changes one.
    "A pen costs 2 dollars. Joe has 20 dollars and buys 3 pens. How much does he pay?",
    "A pen costs 2 dollars. Joe gets 10% off and buys 3 pens. How much does he pay?",
    // The radius and the height of nobody knows which kind of thing.
    "A silo has a radius of 3 meters. Its height is 4 meters. What is the volume of the silo?",
    "The radius of a silo is 3 meters. Its height is 4 meters. What is the volume of the silo?",
    // The measure is that of another thing.
    "The square has a side length of 10 meters. A circle lies in it. What is the area of the circle?",
    // The value was changed, or stated by comparison with another.
    "A circle has a radius of 3 meters. The radius increases by 5 meters. What is the area of the new circle?",
    // Only a part is asked for.
    "A rectangle is 9 meters long and 4 meters wide. What is the area of the part that is not painted?",
    // Things do not come in halves.
    "A box holds 6 eggs. A farmer has 95 eggs. How many boxes does he need?",
    // Nothing does this.
    "A ladder is 6 meters long and has 14 steps. How happy is the painter?",
    "Jonas is 180 cm tall. His cousin has 2 cats. Who wrote Hamlet?",
  ])("are not guessed at: %s", async (request) => {
    const { solved } = await solve({ request, tools: TOOLS });
    expect(solved).toBe(false);
  });

  it("says which value is not clear", async () => {
    const request =
      "One loan runs for 2 years. Another loan runs for 4 years. The rate is 5%. Sue lends $100. What is the simple interest?";
    const { message } = await solve({ request, tools: TOOLS });
    expect(message).toMatch(/not clear which value is meant for years of simpleInterest/);
  });
});

describe("steps with facts", () => {
  it("carry the facts about what is asked, and return them", async () => {
    const [step = ""] = await splitRequest(
      "The room is 3 meters high. Its floor is 5 meters long and 4 meters wide. What is the area of the floor?",
    );
    expect(readGiven(step)).toEqual({
      asked: "find the area of the floor",
      facts: ["Its floor is 5 meters long and 4 meters wide"],
    });
    const given = { asked: "find the mean", facts: ["They are 3, 4 and 5", "It rains"] };
    expect(readGiven(withGiven(given))).toEqual(given);
    expect(withGiven({ asked: "find the mean", facts: [] })).toBe("find the mean");
  });

  it("leave out facts about another thing, and keep those that continue about the same one", () => {
    const facts = ["The tank has a radius of 2", "Its height is 5", "The pipe has a radius of 1"];
    expect(factsAbout("find the volume of the tank", facts)).toEqual(facts.slice(0, 2));
    expect(factsAbout("find the volume of the thing", facts)).toEqual(facts);
  });

  it("are also searched for by the kind of the thing and the names of its measures", async () => {
    const [step = ""] = await splitRequest(
      "The garden is a circle. Its radius is 6 meters. How large is the area of the garden?",
    );
    expect(factualPhrase(step)).toBe("area of a circle from radius");
    expect(factualPhrase("find the area of a circle")).toBeUndefined();
  });
});

describe("amountsIn", () => {
  it.each<[string, { unit: string[]; each?: string[] }]>([
    ["It drives 90 miles per hour", { unit: ["mile"], each: ["hour"] }],
    ["She saves 15 dollars a week", { unit: ["money"], each: ["week"] }],
    ["A box holds 6 eggs", { unit: ["egg"], each: ["box"] }],
    ["They sell pens at 3 dollars each", { unit: ["money"], each: ["pen"] }],
    ["The box holds 6 eggs", { unit: ["egg"] }],
  ])("reads %s", (fact, { unit, each }) => {
    const [amount] = amountsIn([fact]);
    expect([...(amount?.unit ?? [])]).toEqual(unit);
    expect(amount?.each ? [...amount.each] : undefined).toEqual(each);
  });
});
