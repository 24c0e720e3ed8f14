import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { closeWorkspaces } from "../../../nodes/workspace/workspace.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { copyLibraryHome } from "../libraryHome.js";
import { LIBRARY_OPTIONS, run, runJson, temporaryFolder } from "../support.js";

let folder: string;
beforeEach(async () => {
  vi.unstubAllEnvs();
  folder = temporaryFolder();
  vi.stubEnv("TULIPGRAPH_HOME", await copyLibraryHome(folder));
});
afterAll(closeWorkspaces);

const DEMONSTRATION = { task: "Greet Ada", calls: [{ tool: "greet", args: { person: "Ada" } }] };
const PAST_CALL = { query: "Greet Ada", tool: "greet", args: {}, result: "Hello", helpful: true };

it.each([
  ["tptu_demos", [], /^note: tptu_demos has no demonstrations of library test/],
  ["tptu_full", [], /^note: tptu_full searches .*\nnote: tptu_full has no demonstrations .*\n$/],
  ["tptu_retriever", [], /^note: tptu_retriever searches library test without a trained retriever/],
  ["dfsdt_btp", ["--budget", "20"], /^note: dfsdt_btp has no past calls of library test/],
  ["react_replan", [], /^note: react_replan grants calls within a budget, and none is set/],
])("says what %s lacks for what its name promises, with %j", async (graph, options, expected) => {
  const { stderr, json } = await solve(graph, ...options);
  expect(stderr).toMatch(expected);
  const { notices } = json as { notices: string[] };
  expect(stderr).toBe(notices.map((notice) => `note: ${notice}\n`).join(""));
});

it.each([
  ["tptu_demos", []],
  ["dfsdt_btp", ["--budget", "20"]],
  ["minimal_tulip", []],
])("says nothing if %s has it", async (graph, options) => {
  const demos = fileOf("demos.jsonl", DEMONSTRATION);
  await run("memory", "import", demos, "--library", "test");
  await run("memory", "import", fileOf("calls.jsonl", PAST_CALL), "--library", "test");
  const { stderr, json } = await solve(graph, ...options);
  expect(stderr).toBe("");
  expect(json).not.toHaveProperty("notices");
});

function fileOf(name: string, line: object): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(line));
  return path;
}

async function solve(graph: string, ...options: string[]) {
  const model = scriptedModel(({ stage, input }) => {
    if (stage === "summarize") return { text: JSON.stringify({ answer: "Hi." }) };
    return "search" in input ? { finish: "Hi." } : { stop: "Hi." };
  });
  return await runJson(
    "solve",
    "Greet a person",
    "--graph",
    graph,
    "--model",
    model.spec,
    ...LIBRARY_OPTIONS,
    ...options,
  );
}
