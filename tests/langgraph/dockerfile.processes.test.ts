import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GRAPH_IDS } from "../../graphs/index.js";
import { ROOT } from "../fakes/langgraphServer.js";

const folder = mkdtempSync(join(tmpdir(), "tulipgraph-dockerfile-"));
const file = join(folder, "Dockerfile");
let lines: string[] = [];

beforeAll(async () => {
  const env = { ...process.env, LANGGRAPH_CLI_NO_ANALYTICS: "1" };
  const command = join(ROOT, "node_modules/.bin/langgraphjs");
  await promisify(execFile)(command, ["dockerfile", file], { cwd: ROOT, env });
  lines = readFileSync(file, "utf8").split("\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the recipe of an image", () => {
  it("serves every graph", () => {
    const served = /^ENV LANGSERVE_GRAPHS='(.*)'$/m.exec(lines.join("\n"))?.[1] ?? "{}";
    expect(Object.keys(JSON.parse(served) as object)).toEqual([...GRAPH_IDS]);
  });
});
