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

const folder = mkdtempSync(join(tmpdir(), "tulipgraph-package-"));
const checkout = join(folder, "checkout");
const consumer = join(folder, "consumer");
const installed = join(consumer, "node_modules", "tulipgraph");

/** Builds and packs a copy of the project, and installs it where its dependencies are already. */
beforeAll(async () => {
  copyCheckout();
  await run(process.execPath, ["scripts/build.mjs", "--types"], { cwd: checkout });
  const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await run("npm", pack, { cwd: checkout });
  const [packed] = JSON.parse(stdout) as [{ filename: string }];
  mkdirSync(installed, { recursive: true });
  linkPackages({ from: join(ROOT, "node_modules"), to: join(consumer, "node_modules") });
  const unpack = ["-xzf", join(folder, packed.filename), "-C", installed, "--strip-components=1"];
  await run("tar", unpack);
  writeFileSync(join(consumer, "package.json"), '{ "type": "module" }');
}, 900_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the package", () => {
  it("holds what it needs at work, and nothing of the checkout alone", () => {
    const needed = [
      "bin/tulipgraph.mjs",
      "dist/index.js",
      "dist/index.d.ts",
      "scripts/setup/faiss.mjs",
      "tools/catalogs/math/index.ts",
      "LICENSE",
      "README.md",
    ];
    expect(needed.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
    const foreign = ["package-lock.json", "tests", "benchmarks", "dist/.stamp", ".env", ".ci"];
    expect(foreign.filter((path) => existsSync(join(installed, path)))).toEqual([]);
  });

  it("answers messages for whoever imports it", async () => {
    const { stdout } = await runConsumer("use.mjs", PLAIN_USE);
    expect(JSON.parse(stdout)).toEqual({
      status: "solved",
      answer: expect.stringContaining("1064980032"),
      tools: ["multiply", "add"],
    });
  });

  it("has types by which a request, messages and a single setting compile", async () => {
    writeFileSync(join(consumer, "use.ts"), TYPED_USE);
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext"];
    const types = ["--target", "es2022", "--types", "node"];
    await expect(
      run(process.execPath, [compiler, ...options, ...types, "use.ts"], { cwd: consumer }),
    ).resolves.toMatchObject({ stdout: "" });
  });

  it("has a command line that needs no checkout", async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      version: string;
    };
    const program = join(installed, "bin/tulipgraph.mjs");
    const { stdout } = await run(process.execPath, [program, "--version"], { cwd: consumer });
    expect(stdout.trim()).toBe(version);
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

function linkPackages({ from, to }: { from: string; to: string }): void {
  for (const name of readdirSync(from)) {
    symlinkSync(join(from, name), join(to, name));
  }
}

function runConsumer(name: string, code: string) {
  writeFileSync(join(consumer, name), code);
  const env = { ...process.env, OPENAI_API_KEY: "" };
  return run(process.execPath, [name], { cwd: consumer, env });
}
