import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PastCall } from "../../../memory/experience.js";
import { importTools } from "../../../home/libraries.js";
import { closeWorkspaces, openWorkspace } from "../../../home/workspace.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";
import { errorLine, run, runJson } from "../support.js";

/** Tools whose names and texts share words with the requests below; the last one declares no cost. */
const TOOLS = `
/**
 * Weather of a town, exact.
 * @param town - The town.
 * @name exact_weather
 * @effects read
 * @cost 8
 */
export function exact(town: string): string {
  return town + ": 21 degrees";
}

/**
 * Weather of a town, rough.
 * @param town - The town.
 * @name rough_weather
 * @effects read
 * @cost 3
 */
export function rough(town: string): string {
  throw new Error("no weather of " + town);
}

/**
 * Weather of a town, guessed.
 * @param town - The town.
 * @name guessed_weather
 * @effects read
 */
export function guessed(town: string): string {
  return town + ": warm";
}
`;

const { embeddings } = TEST_LIBRARY;
const LIBRARY = ["--library", "weather"];
const REQUEST = "Weather of a town";

const folder = mkdtempSync(join(tmpdir(), "tulipgraph-budget-"));
const file = join(folder, "weather.ts");

beforeAll(async () => {
  writeFileSync(file, TOOLS);
  const { store, experience } = openWorkspace();
  await importTools({ store, settings: { library: "weather", embeddings }, file });
  await (
    await experience()
  ).add([
    pastCall("exact_weather", { query: "a", helpful: true }),
    pastCall("exact_weather", { query: "b", helpful: true }),
    pastCall("rough_weather", { query: "a", helpful: false }),
    pastCall("rough_weather", { query: "a", helpful: true }),
  ]);
});

afterAll(async () => {
  await closeWorkspaces();
  rmSync(folder, { recursive: true, force: true });
});

let uses = 0;

/** A past call. All have the request of the tests, so each counts fully. */
function pastCall(tool: string, { query, helpful }: { query: string; helpful: boolean }): PastCall {
  uses += 1;
  return {
    id: `${uses}`,
    library: "weather",
    query: `${REQUEST} ${query}`,
    tool,
    args: { town: "Rome" },
    result: "",
    failed: false,
    helpful,
    judgedBy: "given",
    cost: 1,
    ms: 1,
    at: 0,
  };
}

/** Replies of a model that calls these tools, one after the other, and then answers. */
function calling(...tools: string[]): string[] {
  const calls = tools.map((name) => ({ calls: [{ name, args: { town: "Rome" } }] }));
  const { spec } = scriptedModel((question, index) =>
    question.stage === "summarize"
      ? { text: JSON.stringify({ answer: "It is warm." }) }
      : (calls[index] ?? { finish: "It is 21 degrees." }),
  );
  return [...LIBRARY, "--model", spec];
}

describe("solve --budget", () => {
  it("shows the plan and what was spent of what", async () => {
    const options = [...calling("exact_weather"), "--graph", "react_btp", "--budget", "20"];
    const { code, stdout, stderr } = await run("solve", REQUEST, ...options);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^planBudget {5}grants 4 calls for 15 of 20 units$/m);
    expect(stdout).toMatch(/^ {15}tool {13}value {2}bound {2}price {2}quota$/m);
    expect(stdout).toMatch(/^ {15}exact_weather {4}0\.\d{3} {2}1 {6}8 {6}1$/m);
    expect(stdout).toMatch(/^8 of 20 units spent · first granted: 4 calls for 15 units$/m);
  });

  it("exits with 1 and says what it would have needed if the budget is used up", async () => {
    const options = [...calling("exact_weather", "rough_weather"), "--graph", "naive_tool"];
    const { spec } = scriptedModel([
      { calls: [{ name: "exact_weather", args: { town: "Rome" } }] },
      { calls: [{ name: "exact_weather", args: { town: "Oslo" } }] },
      { stop: "Only Rome is known.", solved: false },
    ]);
    const printed = await run("solve", REQUEST, ...options, "--model", spec, "--budget", "10");
    expect(printed.code).toBe(1);
    expect(printed.stdout).toMatch(/^budget: Only Rome is known\./m);
    expect(printed.stdout).toMatch(
      /^refused because of the budget: exact_weather 8 units · needed at least 16 units$/m,
    );
    expect(printed.stdout).toMatch(/^8 of 10 units spent$/m);
  });

  it.each([
    ["react", "react takes no notice of a budget, as published; react_btp keeps it"],
    [
      "dfsdt_prompt",
      "dfsdt_prompt tells the model of its budget and does not enforce it, as published; dfsdt_prompt_btp keeps it",
    ],
  ])("says on stderr that %s does not keep a budget", async (graph, note) => {
    const options = [...calling("exact_weather"), "--graph", graph, "--budget", "1"];
    const printed = await runJson("solve", REQUEST, ...options);
    expect(printed).toMatchObject({ code: 0, stderr: `note: ${note}\n` });
    expect(printed.json).toMatchObject({ status: "solved" });
    const unasked = await runJson("solve", REQUEST, ...options.slice(0, -2));
    expect(unasked.stderr).toBe("");
    expect(unasked.json).not.toHaveProperty("budget");
  });

  it("refuses dollars for models of unknown price, before anything is spent", async () => {
    const { json: before } = await runJson("threads");
    const model = scriptedModel([{ stop: "never" }]);
    const known = ["--library", "math", "--model", model.spec, "--budget", "$0.05"];
    const unknown = [...known, "--model", "openai:nobody-knows"];
    expect(errorLine(await run("solve", REQUEST, ...unknown))).toContain(
      "budget: the price of openai:nobody-knows is not known",
    );
    const line = errorLine(await run("solve", REQUEST, ...known));
    expect(line).toContain(`budget: the price of ${embeddings} is not known`);
    expect(model.questions).toEqual([]);
    expect((await runJson("threads")).json).toEqual(before);
  });
});
