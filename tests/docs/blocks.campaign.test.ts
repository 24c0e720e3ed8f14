import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../server/server.js";
import { startServer } from "../../server/serve.js";
import { openWorkspace } from "../../home/workspace.js";
import { type Block, PAGES, blocksOf } from "./pages.js";

/** Why a block is not run: what it needs and a test does not have. */
const NEEDS = {
  checkout: "runs the scripts or the tests of a checkout",
  docker: "builds or starts images",
  files: "reads files of the reader's",
  key: "asks a language model",
  network: "reaches other hosts",
  postgres: "needs a database",
  root: "changes the machine",
  server: "starts a server, or asks one that is not there",
  terminal: "asks questions at a terminal",
  thread: "continues a thread of the reader's",
  time: "takes minutes or hours",
};

/** Languages of blocks that are only shown. */
const SHOWN = new Set(["", "diff", "mermaid", "text", "yaml", "tsx"]);

const ROOT = resolve(".");

/** The address that the documents give to a server. */
const DOCUMENTED = /http:\/\/(?:127\.0\.0\.1|localhost):8123/g;

let server: { url: string; close: () => Promise<void> };
beforeAll(async () => {
  const { place } = openWorkspace();
  server = await startServer({ ...DEFAULT_SETTINGS, place, port: 0 });
});
afterAll(() => server.close());

describe.each(PAGES)("%s", (page) => {
  const blocks = blocksOf(page).filter(({ language }) => !SHOWN.has(language));
  const run = blocks.filter((block) => !block.facts["needs"] && !isPart(block));
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-page-"));
  beforeAll(() => {
    if (run.some(({ language }) => language !== "json")) prepare(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("says why a block cannot be run", () => {
    const reasons = blocks.flatMap(({ facts: { needs } }) => needs ?? []);
    expect(reasons.filter((reason) => !Object.hasOwn(NEEDS, reason))).toEqual([]);
  });

  it.each(run.map((block) => [block.line, block.language, block] as const))(
    "line %i: %s",
    async (_, __, block) => {
      await expect(wrongIn(block, folder)).resolves.toBe("");
    },
    120_000,
  );
});

/** Code without imports that is in no file is a part of a program. */
function isPart({ language, facts: { from, file }, text }: Block): boolean {
  return language === "ts" && !from && !file && !/^import /m.test(text);
}

/** The folder of a reader, in which the package is installed, with the catalogs that ship as libraries. */
function prepare(folder: string): void {
  cpSync(inject("preparedHome"), join(folder, ".tulipgraph"), { recursive: true });
  cpSync("examples", join(folder, "examples"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync("node_modules").filter((entry) => !entry.startsWith(".")))
    symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  symlinkSync(ROOT, join(modules, "tulipgraph"));
  const program = `exec "${process.execPath}" "${ROOT}/bin/tulipgraph.mjs"`;
  shim(folder, "tulipgraph", `${program} "$@"`);
  shim(folder, "npx", `shift; ${program} "$@"`);
}

function shim(folder: string, name: string, line: string): void {
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${line}\n`);
  chmodSync(join(folder, "bin", name), 0o755);
}

/** What is wrong with a block; nothing if it does what it shows. */
async function wrongIn(block: Block, folder: string): Promise<string> {
  const { language, facts, text: code } = block;
  const { from, file } = facts;
  if (file) writeFileSync(join(folder, file), code);
  if (from) return readFileSync(from, "utf8").includes(code.trim()) ? "" : `is not in ${from}`;
  if (language === "json") JSON.parse(code);
  else if (language === "jsonl") for (const line of code.trim().split("\n")) JSON.parse(line);
  else if (language === "console") return await wrongInSession(code, folder);
  else if (language === "sh") await shell(code, folder);
  else if (file === undefined) await runProgram(code, folder);
  return "";
}

/** Commands behind `$`, each with the output that follows it. */
async function wrongInSession(session: string, folder: string): Promise<string> {
  for (const part of session.split(/^\$ /m).slice(1)) {
    const [command = ""] = part.split("\n", 1);
    const shown = part.slice(command.length + 1);
    const { stdout, all } = await shell(command, folder);
    const pattern = asPattern(masked(shown));
    // A terminal shows both; what only tells of progress is not repeated in a document.
    if (![stdout, all].some((printed) => pattern.test(`${masked(printed)}\n`)))
      return `${command} prints:\n${all}`;
  }
  return "";
}

/** Numbers and ids differ from run to run, and a slow program takes several visits of its stage, each with its name. */
function masked(printed: string): string {
  return printed
    .replaceAll(/^runProgram(?= {2})/gm, "          ")
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "ID")
    .replaceAll(/\d+(?:\.\d+)?/g, "0")
    .trim();
}

/** What is shown, as a pattern: a line of `…` stands for any lines, `…` in a line for any text. */
function asPattern(shown: string): RegExp {
  const lines = shown.split("\n").map((line) =>
    line === "…"
      ? "(?:[^\\n]*\\n)*?"
      : `${line
          .split("…")
          .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&"))
          .join(".*")}\\n`,
  );
  return new RegExp(`^${lines.join("")}$`);
}

/** Runs commands one after the other. They may end as a run does that is not solved, or waits; wrong usage ends with 2. */
async function shell(code: string, folder: string): Promise<Printed> {
  const printed = { stdout: "", all: "" };
  for (const command of code.replaceAll("\\\n", " ").trim().split("\n")) {
    const { stdout, all } = await printedBy("bash", ["-c", command], { folder, wanted: [0, 1, 3] });
    printed.stdout += stdout;
    printed.all += all;
  }
  return printed;
}

async function runProgram(code: string, folder: string): Promise<void> {
  const file = join(folder, "program.ts");
  writeFileSync(file, code.replaceAll(DOCUMENTED, server.url));
  const loader = join(ROOT, "node_modules/tsx/dist/loader.mjs");
  await printedBy(process.execPath, ["--import", loader, file], { folder, wanted: [0] });
}

/** What was printed: on stdout alone, and as a terminal shows it. */
interface Printed {
  stdout: string;
  all: string;
}

/** What a program prints. @throws with all of it, if the program ends otherwise than it has to */
async function printedBy(
  command: string,
  args: string[],
  { folder, wanted }: { folder: string; wanted: number[] },
): Promise<Printed> {
  const PATH = `${join(folder, "bin")}:${process.env["PATH"]}`;
  const env = { ...process.env, PATH, TULIPGRAPH_HOME: join(folder, ".tulipgraph") };
  const child = spawn(command, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const printed: Printed = { stdout: "", all: "" };
  child.stdout.setEncoding("utf8").on("data", (part: string) => (printed.stdout += part));
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part: string) => (printed.all += part));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== null && wanted.includes(code)) return printed;
  throw new Error(`${args.join(" ")} ended with ${code}: ${printed.all}`);
}
