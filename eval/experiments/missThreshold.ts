/**
 * How far right tools and foreign tools lie from a search phrase with the built-in sentence encoder,
 * and so which default `threshold` (squared L2 over unit vectors) lets a search miss.
 *
 *   npx tsx eval/experiments/missThreshold.ts --bench ../shared/bench
 *
 * Right: the phrases that the offline planner makes of the requests of one library, against the
 * nearest tool that the request needs. Foreign: phrases that no tool of a library can serve, against
 * the nearest tool of that library.
 */
import { join } from "node:path";
import { SentenceEncoder } from "../../models/encoder.js";
import { splitRequest } from "../../models/offline/clauses.js";
import { genericPhrase } from "../../models/offline/phrases.js";
import { quantile } from "../statistics/descriptive.js";
import { BENCH, optionsOf, readLines, write } from "./scriptSupport.js";

interface Tool {
  id: string;
  name: string;
  description: string;
}

interface Query {
  query: string;
  tools: string[];
  level?: string;
}

const NO_MATH = [
  "weather forecast for a city",
  "translate a text into another language",
  "book a flight",
  "send an email to a colleague",
  "order a pizza",
  "play a song",
  "search for news articles",
  "create a calendar event",
  "find a restaurant nearby",
  "get the price of a stock",
  "generate an image from a description",
  "set an alarm clock",
  "look up the definition of a word",
  "summarize a document",
  "turn on the lights in a room",
  "write a poem",
];

const MATH = [
  "multiply two numbers",
  "area of a rectangle",
  "square root of a number",
  "volume of a sphere",
  "greatest common divisor of numbers",
  "factorial of a number",
  "standard deviation of numbers",
  "perimeter of a hexagon",
  "sine of an angle",
  "sum of the first n natural numbers",
  "check if a number is a prime number",
  "hypotenuse of a right triangle",
];

const THRESHOLDS = [0.8, 0.9, 1, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3];

const encoder = new SentenceEncoder();

async function main(): Promise<void> {
  const { bench } = optionsOf({ bench: BENCH });
  const right = await rightDistances(join(bench, "tulip_math"));
  report("right: phrases of easy and medium math requests", right);
  const foreign = [
    { library: "tulip_math", phrases: NO_MATH, kind: "other phrases" },
    { library: "apibank", phrases: MATH, kind: "math phrases" },
    { library: "metatool", phrases: MATH, kind: "math phrases" },
  ];
  for (const { library, phrases, kind } of foreign) {
    const tools = readLines<Tool>(join(bench, library, "tools.jsonl"));
    report(`foreign: ${kind} on ${library}`, await nearestDistances(phrases, tools));
  }
}

async function rightDistances(folder: string): Promise<number[]> {
  const tools = readLines<Tool>(join(folder, "tools.jsonl"));
  const vectors = await encoder.embedDocuments(tools.map(toolText));
  const phrases = new Map<string, Set<string>>();
  for (const { query, tools: needed, level } of readLines<Query>(join(folder, "queries.jsonl"))) {
    // The hard requests are stories: what the planner makes of them are not always right phrases.
    if (level === "hard") continue;
    for (const step of await splitRequest(query)) {
      const phrase = genericPhrase(step);
      phrases.set(phrase, new Set([...(phrases.get(phrase) ?? []), ...needed]));
    }
  }
  const asked = await encoder.embedDocuments([...phrases.keys()]);
  const distances = [...phrases.values()].map((needed, phrase) =>
    Math.min(
      ...tools.flatMap(({ id }, at) =>
        needed.has(id) ? [distance(asked[phrase] ?? [], vectors[at] ?? [])] : [],
      ),
    ),
  );
  return distances;
}

async function nearestDistances(phrases: string[], tools: Tool[]): Promise<number[]> {
  const vectors = await encoder.embedDocuments(tools.map(toolText));
  const asked = await encoder.embedDocuments(phrases);
  return asked.map((vector) => Math.min(...vectors.map((tool) => distance(vector, tool))));
}

function toolText({ name, description }: Tool): string {
  return `${name}:\n${description}`;
}

function distance(one: number[], other: number[]): number {
  return one.reduce((sum, value, at) => sum + (value - (other[at] ?? 0)) ** 2, 0);
}

function report(title: string, distances: number[]): void {
  const line = THRESHOLDS.map((threshold) => {
    const kept = distances.filter((one) => one < threshold).length / distances.length;
    return `${threshold}: ${(100 * kept).toFixed(0)} %`;
  });
  const quantiles = [0, 0.1, 0.5, 0.9, 1].map((share) => quantile(distances, share).toFixed(2));
  write(`${title} (${distances.length})\n  min p10 median p90 max: ${quantiles.join(" ")}`);
  write(`  kept below ${line.join(", ")}`);
}

await main();
