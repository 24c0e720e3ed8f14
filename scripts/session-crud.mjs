// The four requests with which the Tulip Agent paper shows an agent that maintains its own tools, in a library that is
// empty at first: npm run session:crud -- --model P:N
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const options = process.argv.slice(2);
const home = mkdtempSync(join(tmpdir(), "tulipgraph-session-"));

const CREATE = "What is the square root of 23456789? Create a tool for it if there is none.";
const UPDATE =
  "Make the square root tool work for negative numbers, too: their imaginary root as a text.";
const USE = "What is the square root of -200?";
const DELETE = "Delete the square root tool.";

try {
  process.exitCode = session();
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** @returns {number} the exit code of the first step that fails, otherwise 0 */
function session() {
  const first = [["tools", "create", "session", "--description", "Tools of this session"]];
  const hasModel = options.some((option) => option.startsWith("--model"));
  const steps = hasModel ? [CREATE, UPDATE, USE, DELETE] : [USE, DELETE];
  if (!hasModel) {
    say(
      "Without --model P:N the offline planner answers. It cannot write code, so the tool of the first",
      "two steps comes from examples/square_root.ts; it does steps 3 and 4 itself.",
    );
    first.push(["tools", "add", join(root, "examples", "square_root.ts"), "--library", "session"]);
  }
  const last = [["tools", "history", "square_root", "--library", "session"]];
  // The library belongs to this session alone, so the model may change what a person put into it.
  const keep = ["--set", "madeTools=library"];
  const place = ["--graph", "auto_tulip", "--library", "session", "--thread", "session", ...keep];
  const solves = steps.map((request) => ["solve", request, ...place, ...options]);
  for (const args of [...first, ...solves, ...(hasModel ? [] : last)]) {
    const code = run(args);
    if (code !== 0) return code;
  }
  return 0;
}

/** @param {string[]} args */
function run(args) {
  const shown = args.map((arg) => (/\s/.test(arg) ? JSON.stringify(arg) : arg)).join(" ");
  say(`\n$ tulipgraph ${shown}`);
  const command = join(root, "bin", "tulipgraph.mjs");
  const { status } = spawnSync(process.execPath, [command, ...args], {
    stdio: "inherit",
    env: { ...process.env, TULIPGRAPH_HOME: home },
  });
  return status ?? 1;
}

/** @param {string[]} lines */
function say(...lines) {
  process.stdout.write(`${lines.join("\n")}\n`);
}
