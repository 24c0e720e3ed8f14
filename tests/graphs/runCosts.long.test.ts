import SqliteDatabase from "better-sqlite3";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openGraph } from "../../graphs/openGraph.js";
import type { GraphState } from "../../state/state.js";
import { scriptedModel } from "../fakes/scriptedModel.js";
import { program } from "./tulipRuns.js";

/** Statements that SQLite is asked from now on. */
function countedStatements(): () => number {
  const database = new SqliteDatabase(":memory:");
  const statement = Object.getPrototypeOf(database.prepare("SELECT 1")) as SqliteDatabase.Statement;
  const spies = [
    vi.spyOn(statement, "get"),
    vi.spyOn(statement, "run"),
    vi.spyOn(statement, "iterate"),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
    database.close();
  });
  return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
}

const REQUEST = "What is 6 * 7 + 1?";

async function solve(thread: string, ...lines: string[]) {
  const graph = await openGraph("tulip");
  const config = { configurable: { thread_id: thread } };
  const context = { library: "math", model: scriptedModel([program(...lines)]).spec };
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
  it("opens its library once, and asks SQLite for little else", async () => {
    await solve("warm", ...SUM);
    const statements = countedStatements();
    const { state } = await solve("counted", ...SUM);
    expect(state).toMatchObject({ status: "solved", answer: "It is 43." });
    expect(statements()).toBeLessThanOrEqual(215);
    // The request, which is embedded once.
    expect(state.usage.embeddingTokens).toBe(Math.ceil(REQUEST.length / 4));
  });

  it("is saved after each stage, and not after each call", async () => {
    const { state, history } = await solve(
      "long",
      "let count = 0;",
      `for (const step of ${JSON.stringify(Array.from({ length: 100 }, (_, at) => at))})`,
      "  count = await add({ a: count, b: 1 });",
      "return `It is ${count}.`;",
    );
    expect(state).toMatchObject({ status: "solved", answer: "It is 100." });
    expect(state.calls).toHaveLength(100);
    expect(history.filter((stage) => stage === "runProgram").length).toBeLessThan(20);
    expect(history).not.toContain("execute");
  });
});
