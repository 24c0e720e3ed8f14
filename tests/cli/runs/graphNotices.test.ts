import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { closeWorkspaces } from "../../../home/workspace.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { copyLibraryHome } from "../libraryHome.js";
import { LIBRARY_OPTIONS, runJson, temporaryFolder } from "../support.js";

let folder: string;
beforeEach(async () => {
  vi.unstubAllEnvs();
  folder = temporaryFolder();
  vi.stubEnv("TULIPGRAPH_HOME", await copyLibraryHome(folder));
});
afterAll(closeWorkspaces);

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
