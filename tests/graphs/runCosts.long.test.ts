import SqliteDatabase from "better-sqlite3";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openGraph } from "../../graphs/openGraph.js";
import type { GraphState } from "../../state/state.js";
import { openWorkspace } from "../../home/workspace.js";
import { parseSettings } from "../../state/settings.js";
import { scriptedModel } from "../fakes/scriptedModel.js";
import { program } from "./tulipRuns.js";

/** The texts of all statements that are prepared, which are kept for later runs. */
const texts = new WeakMap<object, string>();
const database = new SqliteDatabase(":memory:");
const connection = Object.getPrototypeOf(database) as SqliteDatabase.Database;
const statement = Object.getPrototypeOf(database.prepare("SELECT 1")) as SqliteDatabase.Statement;
const prepare = Reflect.get(connection, "prepare");
const naming = vi.spyOn(connection, "prepare").mockImplementation(function (this: never, text) {
  const made = Reflect.apply(prepare, this, [text]);
  texts.set(made, text);
  return made;
});
afterAll(() => {
  naming.mockRestore();
  database.close();
});

/** Number of statements that SQLite is asked from now on, or of those that begin so. */
function countedStatements(): (beginning?: string) => number {
  const spies = [
    vi.spyOn(statement, "get"),
    vi.spyOn(statement, "run"),
    vi.spyOn(statement, "iterate"),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return (beginning = "") => {
    const asked = spies.flatMap(({ mock }) =>
      mock.contexts.map((one) => texts.get(one as object) ?? ""),
    );
    return asked.filter((text) => text.startsWith(beginning)).length;
  };
}

const REQUEST = "What is 6 * 7 + 1?";

async function solve(thread: string, lines: readonly string[], settings: object = {}) {
  const graph = await openGraph("tulip");
  const config = { configurable: { thread_id: thread } };
  const context = { library: "math", model: scriptedModel([program(...lines)]).spec, ...settings };
  const input = { request: REQUEST };
  const state = await graph.invoke(input, { ...config, context, durability: "sync" });
  const history = [];
  for await (const { next } of graph.getStateHistory(config)) history.unshift(...next);
  return { state: state as GraphState, history };
}

const SUM = [
  "const product = await multiply({ a: 6, b: 7 });",
  "return `It is ${await add({ a: product, b: 1 })}.`;",
];

describe("a run of a program", () => {
  it.each(["all", "some"])(
    "opens its library once for %s of its tools, and asks SQLite for little else",
    async (name) => {
      const library = await openWorkspace().library(parseSettings({ library: "math" }));
      const ids = library.list().map(({ id }) => id);
      const settings = name === "all" ? {} : { toolIds: ids.slice(0, 100) };
      await solve(`warm ${name}`, SUM, settings);
      const statements = countedStatements();
      const { state } = await solve(`counted ${name}`, SUM, settings);
      expect(state).toMatchObject({ status: "solved", answer: "It is 43." });
      expect(statements()).toBeLessThanOrEqual(110);
      // Once in each turn of the event loop in which the library is read.
      expect(statements("SELECT number FROM libraries")).toBeLessThanOrEqual(15);
      expect(statements("SELECT tools.*")).toBeLessThanOrEqual(10);
      // The request, which is embedded once.
      expect(state.usage.embeddingTokens).toBe(Math.ceil(REQUEST.length / 4));
    },
  );

  it("is saved after each stage, and not after each call", async () => {
    const { state, history } = await solve("long", [
      "let count = 0;",
      `for (const step of ${JSON.stringify(Array.from({ length: 100 }, (_, at) => at))})`,
      "  count = await add({ a: count, b: 1 });",
      "return `It is ${count}.`;",
    ]);
    expect(state).toMatchObject({ status: "solved", answer: "It is 100." });
    expect(state.calls).toHaveLength(100);
    expect(history.filter((stage) => stage === "runProgram").length).toBeLessThan(20);
    expect(history).not.toContain("execute");
  });
});
