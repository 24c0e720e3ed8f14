import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { parse } from "yaml";
import { closeWorkspaces } from "../../home/workspace.js";
import { run, temporaryFolder } from "../cli/support.js";

const page = readFileSync("docs/ci.md", "utf8");

interface Workflow {
  on: Record<string, unknown>;
  jobs: { evaluate: { env: Record<string, string>; steps: { run?: string; uses?: string }[] } };
}

function block(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(page)?.[1] ?? "";
}

const workflow = parse(block("yaml")) as Workflow;
const { steps, env } = workflow.jobs.evaluate;

/** The arguments of each command of ours among the lines of a shell. */
function commandsIn(lines: string): string[][] {
  const calls = lines.matchAll(/^npx tulipgraph (.*)$/gm);
  return [...calls].map(([, words = ""]) => words.trim().split(/\s+/));
}

const commands = steps.flatMap(({ run }) => commandsIn(run ?? ""));
const [makingBaseline = []] = commandsIn(page.slice(page.indexOf("## The baseline")));

it("docs/ci.md shows a workflow that GitHub can read", () => {
  expect(Object.keys(workflow.on)).toEqual(["pull_request", "push"]);
  for (const step of steps) expect("uses" in step !== "run" in step).toBe(true);
  expect(env).toMatchObject({ OPENAI_API_KEY: "${{ secrets.OPENAI_API_KEY }}" });
  expect(commands.map(([first, second]) => `${first} ${second}`)).toEqual([
    "tools import",
    "eval run",
    "eval report",
  ]);
});

it("docs/ci.md: its commands pass, and fail when the tools become worse", async () => {
  const folder = temporaryFolder();
  const tools = block("ts");
  writeFileSync(join(folder, "heating.ts"), tools);
  writeFileSync(join(folder, "tasks.jsonl"), block("jsonl"));
  const home = join(folder, "home");
  vi.stubEnv("TULIPGRAPH_HOME", home);
  vi.stubEnv("TULIPGRAPH_EMBEDDINGS", "local:sentence-encoder");
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
  // A checkout has no home yet, and of the baseline only the committed files.
  const checkout = () => rmSync(home, { recursive: true, force: true });
  const [importing = [], evaluating = [], reporting = []] = commands;

  await call(importing);
  expect(await call(makingBaseline)).toMatchObject({ code: 0 });
  keepCommitted(join(folder, "results/baseline"));
  checkout();
  await call(importing);
  const passed = await call(evaluating);
  expect(passed.stderr).toMatch(/^passed: tulip: As asked is .* at least 0\.60 is wanted$/m);
  expect(passed.stderr).toMatch(/^passed: .* no worse than the baseline is wanted$/m);
  expect(passed.code).toBe(0);
  expect((await call(reporting)).code).toBe(0);
  expect(readFileSync(join(folder, "results/junit.xml"), "utf8")).toContain("<testsuites");

  checkout();
  writeFileSync(join(folder, "heating.ts"), tools.replace('"hot"', '"warm"'));
  rmSync(join(folder, "results/now"), { recursive: true });
  await call(importing);
  const withoutBaseline = evaluating.filter((word) => !word.endsWith("baseline"));
  const failed = await call(withoutBaseline);
  expect(failed.stderr).toMatch(/^failed: tulip: As asked is 0\.33 /m);
  expect(failed.code).toBe(1);
}, 120_000);

/** Each command finds the home as it is. */
async function call(argv: string[]) {
  const printed = await run(...argv);
  await closeWorkspaces();
  return printed;
}

/** Leaves of a folder of results what `git add results/baseline/*.json*` takes. */
function keepCommitted(folder: string): void {
  const kept = `${folder}-kept`;
  mkdirSync(kept);
  for (const name of readdirSync(folder)) {
    if (/\.jsonl?$/.test(name)) cpSync(join(folder, name), join(kept, name));
  }
  rmSync(folder, { recursive: true });
  cpSync(kept, folder, { recursive: true });
}
