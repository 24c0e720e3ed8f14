import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildStep } from "../../scripts/setup/build.mjs";
import { prepare } from "../../scripts/setup/prepare.mjs";
import { ROOT } from "../fakes/langgraphServer.js";

const run = promisify(execFile);

/** Copied rather than linked, since a linked package finds its neighbours where it really lies. */
const COPIED = ["faiss-node", "@langchain/community"];

const SOLVE = `
import { closeWorkspaces, graphs } from "./dist/index.js";
const { answer } = await graphs.cot_tulip.graph.invoke({ request: "What is 7 * 8?" });
console.log(answer);
await closeWorkspaces();
`;

const folder = mkdtempSync(join(tmpdir(), "tulipgraph-first-use-"));
const packages = join(folder, "node_modules");

/** The project as an image has it: packages by npm alone, which runs none of their scripts. */
beforeAll(async () => {
  // Another process may be about to build it, or nobody has yet.
  await prepare({ steps: [buildStep], quiet: true });
  for (const name of ["package.json", "dist", "scripts", "tools"]) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  linkPackages("");
  linkPackages("@langchain");
  for (const name of COPIED) {
    cpSync(join(ROOT, "node_modules", name), join(packages, name), { recursive: true });
  }
  rmSync(join(packages, "faiss-node/build"), { recursive: true });
  writeFileSync(join(folder, "solve.mjs"), SOLVE);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("the first search gets the binding of FAISS where there is none", async () => {
  const env = { ...process.env, OPENAI_API_KEY: "" };
  const first = await run(process.execPath, ["solve.mjs"], { cwd: folder, env });
  expect(first.stdout).toContain("56");
  expect(existsSync(join(packages, "faiss-node/build/Release/faiss-node.node"))).toBe(true);
  const second = await run(process.execPath, ["solve.mjs"], { cwd: folder, env });
  expect(second).toMatchObject({ stdout: first.stdout, stderr: "" });
}, 900_000);

function linkPackages(scope: string): void {
  const from = join(ROOT, "node_modules", scope);
  mkdirSync(join(packages, scope), { recursive: true });
  for (const name of readdirSync(from)) {
    const path = join(scope, name);
    if (path === "@langchain" || path === ".tulipgraph-setup.json" || COPIED.includes(path))
      continue;
    symlinkSync(join(from, name), join(packages, path));
  }
}
