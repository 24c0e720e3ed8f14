import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { defaultHome } from "../../home/home.js";
import { closeWorkspaces } from "../../home/workspace.js";
import { scriptedModel } from "../fakes/scriptedModel.js";
import { importTestLibrary } from "../fakes/testLibrary.js";
import { LIBRARY_OPTIONS, run } from "./support.js";

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);
afterEach(() => {
  vi.unstubAllEnvs();
});

const SECRET = "0a1B2c3D4e5F6g7H8i9J";

/** Everything that is stored, byte for byte. */
function stored(): string {
  const files = readdirSync(defaultHome(), { recursive: true, withFileTypes: true });
  return files
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

const GRAPH = ["--graph", "cot_tulip", ...LIBRARY_OPTIONS];

describe("A secret", () => {
  it.each([
    ["--model", `openai:sk-${SECRET}`],
    ["--model", `sk-proj-${SECRET}`],
    ["--model", `https://ada:${SECRET}@example.com/v1`],
    ["--set", `embeddings=openai:sk-${SECRET}`],
  ])("given as %s is refused, and neither shown nor stored", async (option, value) => {
    vi.stubEnv("OPENAI_API_KEY", "sk-other-0123456789");
    for (const more of [[], ["--debug"]]) {
      const { code, stdout, stderr } = await run(
        "solve",
        "Double 21",
        ...GRAPH,
        option,
        value,
        ...more,
      );
      expect(code).toBe(2);
      expect(stderr).toMatch(/key/);
      expect(stdout + stderr).not.toContain(SECRET);
    }
    expect(stored()).not.toContain(SECRET);
  });

  it("in a failure of the model is neither shown nor stored", async () => {
    const { spec } = scriptedModel([
      new Error(`no answer of postgres://ada:${SECRET}@db/prod (Bearer ${SECRET})`),
    ]);
    const { stdout, stderr } = await run("solve", "Double 21", ...GRAPH, "--model", spec);
    expect(stdout + stderr).toMatch(/postgres/);
    expect(stdout + stderr).not.toContain(SECRET);
    expect(stored()).not.toContain(SECRET);
  });
});
