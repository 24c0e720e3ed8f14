import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { commandTree, examplesOf } from "../../scripts/commandTree.js";
import { run } from "./support.js";

/** What an example needs and a new user's folder does not have, or what does not end by itself. */
const NEEDS: readonly [RegExp, string][] = [
  [/[|>]|\$\(/, "a shell"],
  [/^\w+=|tulipgraph (?:serve|mcp)\b/, "a server that goes on"],
  [/--model |--models |text-embedding/, "a language model"],
  [/https?:|npx -y|tools login|api\.github\.com/, "other hosts"],
  [
    /my-tools\.ts|\ba\.ts|\w+\.jsonl?\b|server\.mjs|\bsets\/|\bbefore after\b|\.\/results/,
    "files of the reader's",
  ],
  [/5de3445a|\bhomework\b|\bchores\b/, "a thread of the reader's"],
  [/\b(?:library (?:office|shop|mail|notes|github)|label|review)\b|--source|--thread/, "a library"],
  [
    /history square_root|key_0123456789|train |memory list --library/,
    "what the reader made before",
  ],
];

const folder = mkdtempSync(join(tmpdir(), "tulipgraph-help-"));
const root = process.cwd();
beforeAll(() => {
  cpSync("examples", join(folder, "examples"), { recursive: true });
  vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(root);
  rmSync(folder, { recursive: true, force: true });
});

it("every example of the help that a new user can type ends well, in the order of the help", async () => {
  const { program, commands } = await commandTree();
  const lines = [program, ...commands].flatMap(examplesIn);
  const ran = [...new Set(lines)].filter((line) => !NEEDS.some(([pattern]) => pattern.test(line)));
  expect(ran.length).toBeGreaterThan(20);
  const failed: string[] = [];
  for (const line of ran) {
    const { code, stderr } = await run(...wordsOf(line));
    if (code !== 0) failed.push(`${line}: exit ${code}, ${stderr}`);
  }
  expect(failed).toEqual([]);
}, 120_000);

function examplesIn(command: Command): string[] {
  return [...examplesOf(command), ...command.commands.flatMap(examplesIn)];
}

function wordsOf(line: string): string[] {
  const [call = ""] = line.split(/\s#\s/);
  const words = call.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  return words.slice(1).map((word) => word.replace(/^(['"])(.*)\1$/, "$2"));
}
