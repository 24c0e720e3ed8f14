import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { onTestFinished } from "vitest";
import type { ExperienceStore, PastCall } from "../../memory/experience.js";
import { openExperience } from "../../memory/openExperience.js";
import type { DataPlace } from "../../storage/database.js";
import { wordEmbeddings } from "../fakes/wordEmbeddings.js";

/** A folder of the test that asks for it, removed after it. */
export function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), "tulipgraph-memory-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** The experience of a place, a new home when none is given; closed after the test. */
export function openStore(place: string | DataPlace = temporaryHome()): ExperienceStore {
  const store = openExperience(typeof place === "string" ? { home: place } : place);
  onTestFinished(() => store.close());
  return store;
}

/** All that comes, one after another. */
export async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** Makes past calls with ids that differ. */
export function pastCalls(...given: Partial<PastCall>[]): PastCall[] {
  return given.map((pastCall) => ({
    id: `call ${(made += 1)}`,
    library: "math",
    query: "add two numbers",
    tool: "add",
    args: { a: 1, b: 2 },
    result: "3",
    failed: false,
    helpful: true,
    judgedBy: "rule",
    cost: 1,
    ms: 10,
    at: 1_700_000_000_000,
    ...pastCall,
  }));
}
let made = 0;

/** The default question of tests. */
export function question(overrides: { query?: string; tools?: string[] } = {}) {
  const embeddings = { name: "words:hashed", embeddings: wordEmbeddings({ dimensions: 512 }) };
  return { library: "math", query: "add two numbers", tools: ["add"], embeddings, ...overrides };
}

const text = fc.oneof(
  fc.constantFrom("add", "times", "Add 2 and 2", "a\u2028b", "naïve 💐", '"', "a\nb", "nul\0"),
  fc.string({ unit: "binary", minLength: 1 }).filter((value) => value.trim() !== ""),
);
const amount = fc.double({ min: 0, max: 1e9, noNaN: true });

/** Any past calls, some of them alike; ids differ. */
export const anyPastCalls: fc.Arbitrary<PastCall[]> = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    library: fc.constantFrom("math", "office", "a library"),
    query: text,
    tool: text,
    args: fc.dictionary(fc.string(), fc.jsonValue({ depthSize: "small" })),
    result: fc.oneof(text, fc.constant("")),
    failed: fc.boolean(),
    helpful: fc.constantFrom(true, false, null),
    judgedBy: fc.constantFrom("rule", "model", "classifier", "given"),
    cost: amount,
    ms: amount,
    at: fc.nat(),
  }),
  { selector: ({ id }) => id, maxLength: 30 },
);
