import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it, vi } from "vitest";
import { closeWorkspaces } from "../../../home/workspace.js";
import { LOCAL_EMBEDDINGS } from "../../../state/settings.js";
import { run, temporaryFolder } from "../support.js";

const OFFER = /^note: .*\d+ MB.*TULIPGRAPH_EMBEDDINGS=transformers:\S+ to \.env\n$/;

let file: string;
const asked = vi.fn<typeof fetch>();

beforeEach(async () => {
  const folder = temporaryFolder();
  vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
  vi.stubEnv("TULIPGRAPH_EMBEDDINGS", LOCAL_EMBEDDINGS);
  vi.stubGlobal("fetch", asked.mockClear());
  file = join(folder, "tools.ts");
  writeFileSync(file, "/** Doubles a number. */\nexport const double = (n: number) => 2 * n;\n");
  await closeWorkspaces();
});

it("the first import offers a better encoder, and no other import does", async () => {
  const first = await run("tools", "import", file);
  const second = await run("tools", "import", file, "--library", "other");
  expect(first).toMatchObject({ code: 0, stderr: expect.stringMatching(OFFER) });
  expect(second).toMatchObject({ code: 0, stderr: "" });
  expect(asked).not.toHaveBeenCalled();
});

it("an import offers no encoder to whoever uses another one", async () => {
  vi.stubEnv("TULIPGRAPH_EMBEDDINGS", undefined);
  expect(await run("tools", "import", file)).toMatchObject({ code: 0, stderr: "" });
});

it("an import for a program offers no encoder, and the next one for a person does", async () => {
  expect(await run("tools", "import", file, "--json")).toMatchObject({ code: 0, stderr: "" });
  expect((await run("tools", "import", file)).stderr).toMatch(OFFER);
});

it("the offer names the hub that models come from", async () => {
  vi.stubEnv("HF_ENDPOINT", "https://mirror.example/");
  expect((await run("tools", "import", file)).stderr).toContain("MB from mirror.example");
});
