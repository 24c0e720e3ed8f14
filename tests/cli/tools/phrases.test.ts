import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { closeWorkspaces } from "../../../nodes/workspace/workspace.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { errorLine, run, runJson, temporaryFolder } from "../support.js";

let folder: string;
beforeEach(async () => {
  await closeWorkspaces();
  folder = temporaryFolder();
  vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
});
afterAll(closeWorkspaces);

const tool = (id: string, description: string) => ({ id, name: id, description, parameters: {} });
const OPEN = tool("create_pull_request", "Opens a pull request.");
const MERGE = tool("merge_pull_request", "Merges a pull request.");

async function imported(...tools: object[]): Promise<void> {
  const lines = tools.map((tool) => JSON.stringify(tool));
  writeFileSync(join(folder, "tools.jsonl"), lines.join("\n"));
  await run("tools", "import", join(folder, "tools.jsonl"), "--library", "git");
}

const said = (phrases: Record<string, string[]>) => ({
  text: JSON.stringify({
    tools: Object.entries(phrases).map(([name, own]) => ({ tool: name, phrases: own })),
  }),
});

const firstFor = async (phrase: string) => {
  const { json } = await runJson("tools", "search", phrase, "-k", "1", "--library", "git");
  return (json as { hits: { id: string }[] }).hits[0]?.id;
};

it("finds tools by what a model says that people say, drops what fits another as well or better, and asks once", async () => {
  await imported(MERGE, OPEN);
  const model = scriptedModel([
    said({
      merge_pull_request: ["land it on main", "work with GitHub"],
      create_pull_request: [
        "propose my work to the others",
        "merge a pull request",
        "work with GitHub",
      ],
    }),
  ]);
  const asked = ["tools", "phrases", "git", "--model", model.spec];
  expect((await runJson(...asked)).json).toMatchObject({ tools: 2, phrases: 2, dropped: 1 });
  expect(await firstFor("propose my work to the others")).toBe(OPEN.id);
  const shown = await run("tools", "list", OPEN.id, "--library", "git");
  expect(shown.stdout).toMatch(/people say +propose my work to the others/);

  await imported({ ...MERGE, description: "Merges a pull request into its base." }, OPEN);
  expect((await runJson(...asked)).json).toMatchObject({ tools: 1 });
  expect(model.questions).toHaveLength(2);

  expect((await runJson(...asked, "--remove")).json).toMatchObject({ tools: 2 });
  const bare = await run("tools", "list", OPEN.id, "--library", "git");
  expect(bare.stdout).not.toContain("people say");
});

it("says that it needs a language model", async () => {
  await imported(OPEN);
  const refused = await run("tools", "phrases", "git", "--model", "offline:planner");
  expect(errorLine(refused)).toMatch(/language model/);
});
