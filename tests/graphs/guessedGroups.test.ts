import { beforeAll, describe, expect, it } from "vitest";
import { openToolbox } from "../../agents/toolbox.js";
import { openWorkspace } from "../../home/workspace.js";
import { openEmbeddings } from "../../models/embeddings/embeddings.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";
import { program, programRun } from "./tulipRuns.js";

const SETTINGS = { ...TEST_LIBRARY, library: "hosts", topK: 1 };
const IDS = ["git.log", "git.show", "git.status", "gh.list_commits", "gh.git_blame", "gh.search"];

beforeAll(async () => {
  const { embeddings: spec } = TEST_LIBRARY;
  const embeddings = await openEmbeddings(spec);
  const library = await openWorkspace().store.open({
    name: "hosts",
    embeddings,
    embeddingModel: spec,
    create: true,
  });
  const tools = IDS.map((id) => ({
    id,
    name: id.slice(id.indexOf(".") + 1),
    description: `${id} of a repository`,
    parameters: { type: "object" as const, properties: { repo: { type: "string" } } },
    effects: "read" as const,
    source: { kind: "declared" as const, file: "tools.jsonl" },
  }));
  await library.sync({ origin: "tools.jsonl", fingerprint: "", tools });
});

async function runOf(code: string) {
  const run = programRun({
    script: (_, at) => program(at === 0 ? code : "stop(`enough`);"),
    request: "List the commits of repository a",
    settings: SETTINGS,
  });
  const { state } = await run.start();
  const [, second] = run.model.questions;
  const told = second?.messages.map(({ text }) => text).join("\n") ?? "";
  return { calls: state.calls.map(({ tool }) => tool), told };
}

describe("a program that guesses the group of a function", () => {
  it.each([
    ["git.list_commits", "git has: log, show, status; gh.list_commits exists"],
    ["git.blame", "git has: log, show, status; gh.git_blame exists"],
  ])("chooses again, before anything is called, where the group has no %s", async (name, told) => {
    const seen = await runOf(`return await ${name}({ repo: "a" });`);
    expect(seen.told).toContain(`there is no ${name}; ${told}`);
    expect(seen.told).not.toContain("was searched");
    expect(seen.calls).toEqual([]);
  });

  it.each([
    ["no group", "list_commits"],
    ["a group that does not exist", "github.list_commits"],
    ["such a group and another spelling", "github.listCommits"],
  ])("calls the only function of that name with %s", async (_, name) => {
    const { calls } = await runOf(`return await ${name}({ repo: "a" });`);
    expect(calls).toEqual(["gh.list_commits"]);
  });

  it("calls the methods of its own values, whatever functions are called", async () => {
    const { told } = await runOf(
      'const text = "abc"; return text.search(/b/) + texts.search(/b/);',
    );
    expect(told).toContain('"texts" is not defined');
    expect(told).not.toContain("there is no texts");
  });
});

it("a call of a function that its group lacks is answered with those that there are", async () => {
  const toolbox = await openToolbox(SETTINGS);
  await expect(toolbox.get("git.list_commits")).rejects.toThrow(/gh\.list_commits exists/);
  expect(toolbox.groups().toolNamed("git.list_commits")).toBeUndefined();
});
