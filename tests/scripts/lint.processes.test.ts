import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "../../scripts/setup/command.mjs";
import { projectRoot } from "../../scripts/setup/prepare.mjs";
import { temporaryFolder } from "./workplace.js";

/** Lints a project of these files by this project's rules; returns the files that break one. */
async function filesAgainstRule(rule: string, files: Record<string, string>): Promise<string[]> {
  const root = temporaryFolder();
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${source}\n`);
  }
  // The configuration names folders relative to itself.
  copyFileSync(join(projectRoot, ".oxlintrc.json"), join(root, ".oxlintrc.json"));
  const oxlint = join(projectRoot, "node_modules", "oxlint", "bin", "oxlint");
  const { output } = await runCommand({
    command: process.execPath,
    args: [oxlint, "--format", "unix"],
    cwd: root,
  });
  const lines = output.split("\n").filter((line) => line.includes(`(${rule})`));
  return lines.map((line) => line.slice(0, line.indexOf(":"))).toSorted();
}

describe("the lint rules", () => {
  it("stop every layer from importing the ones above it", async () => {
    const files = {
      "eval/run.ts": 'export { main } from "../cli/main.js";',
      "graphs/base.ts": 'export { main } from "../cli/main.js";',
      "graphs/naive.ts": 'export { run } from "../eval/run.js";',
      "index.ts": 'export { main } from "./cli/main.js";',
      "memory/insights.ts": 'export { ask } from "../models/ask.js";',
      "models/chat/chat.ts": 'export { openWorkspace } from "../graphs/base.js";',
      "nodes/acting/act.ts": 'export { graph } from "../../graphs/base.js";',
      "plans/readPlan.ts": 'export { act } from "../nodes/act.js";',
      "plans/verifyPlan.ts": 'export { run } from "../tools/tool.js";',
      "state/late.ts": 'export const late = () => import("../graphs/base.js");',
      "storage/sqlite/sqlite.ts": 'export { tool } from "../tools/tool.js";',
      "tools/library/search/search.ts": 'export { ask } from "../../models/chat/ask.js";',
    };
    expect(await filesAgainstRule("no-restricted-imports", files)).toEqual(Object.keys(files));
  });

  it("stop library code from printing, which the command line may", async () => {
    const files = {
      "cli/main.ts": 'console.log("hello");',
      "nodes/acting/act.ts": 'console.log("hello");',
    };
    expect(await filesAgainstRule("no-console", files)).toEqual(["nodes/acting/act.ts"]);
  });
});
