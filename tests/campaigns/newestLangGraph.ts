/**
 * Runs the tests of graphs, agents and the server with the newest LangGraph, and with the newest versions of what it
 * works with, beside the locked ones of this checkout.
 *
 *   npx tsx tests/campaigns/newestLangGraph.ts [--major 1] [--tests tests/graphs,tests/agents,tests/server]
 *
 * The checkout is copied without its packages to a temporary folder, where the newest versions of one major are
 * installed that this version of Node may run. A tag such as `latest` would not do: that of the SDK names a version that
 * no other package takes.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { optionsOf, write, writeHead, writeRow } from "./scriptSupport.js";

const { major, tests } = optionsOf({ major: "1", tests: "tests/graphs,tests/agents,tests/server" });

const PACKAGES = [
  "@langchain/core",
  "@langchain/langgraph",
  "@langchain/langgraph-checkpoint",
  "@langchain/langgraph-sdk",
  "@langchain/openai",
];

const folder = mkdtempSync(join(tmpdir(), "newest-"));
try {
  copyCheckout();
  const newest = PACKAGES.map((name) => `${name}@^${major}`);
  run("npm", "install", "--no-audit", "--ignore-scripts", ...newest);
  run("node", "scripts/setup.mjs");
  writeHead(["package", "locked", "newest"]);
  for (const name of PACKAGES) writeRow([name, versionIn(".", name), versionIn(folder, name)]);
  const projects = ["--project=shared", "--project=long"];
  const { numPassedTests, numFailedTests, numTotalTests, failed } = testReport(projects);
  write(`${numPassedTests} of ${numTotalTests} tests pass, ${numFailedTests} fail`);
  for (const title of failed) write(`- ${title}`);
  process.exitCode = numFailedTests === 0 && numPassedTests > 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function copyCheckout(): void {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"]).toString();
  for (const file of listed.split("\n").filter((each) => each !== "" && existsSync(each)))
    cpSync(file, join(folder, file));
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

function versionIn(root: string, name: string): string {
  const file = join(root, "node_modules", name, "package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numTotalTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

function testReport(projects: readonly string[]): Report & { failed: string[] } {
  const file = join(folder, "report.json");
  const reporters = ["--reporter=json", `--outputFile=${file}`];
  const args = ["vitest", "run", ...tests.split(","), ...projects, ...reporters];
  // A failing test makes it end with an error, after the report is written.
  spawnSync("npx", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const report = JSON.parse(readFileSync(file, "utf8")) as Report;
  const failed = report.testResults.flatMap(({ name, status, assertionResults }) => {
    const titles = assertionResults.filter((each) => each.status === "failed");
    // A file that cannot be loaded has no tests.
    if (titles.length === 0 && status === "failed") return [name];
    return titles.map(({ fullName }) => `${name.slice(folder.length + 1)}: ${fullName}`);
  });
  return { ...report, failed };
}
