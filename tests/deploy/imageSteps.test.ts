import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { copiesIn, stagesOf } from "./dockerfile.js";

const ROOT = resolve(import.meta.dirname, "../..");

/** The recipe's steps that call npm or our scripts, each with a time limit (ms). */
const STEP_MS = 240_000;

const [build = [], runtime = []] = stagesOf(join(ROOT, "deploy", "Dockerfile"));

/** A folder in which the recipe's steps are run as an image's build would. */
function builtImage(): string {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-image-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [context, image] = [join(folder, "build"), join(folder, "image")];
  const files = execFileSync("git", ["ls-files", "-z", "-co", "--exclude-standard"], { cwd: ROOT });
  for (const file of files.toString().split("\0").filter(Boolean)) {
    // A linked node_modules does not belong to the project, and npm would empty its target.
    if (!lstatSync(join(ROOT, file), { throwIfNoEntry: false })?.isFile()) continue;
    mkdirSync(dirname(join(context, file)), { recursive: true });
    cpSync(join(ROOT, file), join(context, file));
  }
  const ours = build.filter(({ name, text }) => name === "RUN" && !text.includes("apt-get"));
  for (const { text } of ours) {
    execFileSync("sh", ["-c", text], { cwd: context, timeout: STEP_MS, stdio: "pipe" });
  }
  for (const { from, sources, target } of copiesIn(runtime)) {
    for (const source of sources) {
      const path = join(from ? context : ROOT, source.replace("/app/", ""));
      const to = sources.length > 1 || target === "./" ? join(target, source) : target;
      cpSync(path, join(image, to), { recursive: true, verbatimSymlinks: true });
    }
  }
  return image;
}

it("builds an image without development packages, whose server answers /ok", async () => {
  const image = builtImage();
  const development = ["vitest", "oxlint", "@langchain/langgraph-cli", "playwright-core"];
  const installed = (name: string) => existsSync(join(image, "node_modules", name));
  expect(development.filter(installed)).toEqual([]);
  const node = (code: string) => execFileSync(process.execPath, ["-e", code], { cwd: image });
  node("new (require('faiss-node').IndexFlatL2)(2).add([1, 2])");
  const home = mkdtempSync(join(tmpdir(), "tulipgraph-image-home-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const server = spawn(process.execPath, ["bin/tulipgraph.mjs", "serve", "--port", "0"], {
    cwd: image,
    env: { ...process.env, TULIPGRAPH_HOME: home },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(server, "exit");
  onTestFinished(async () => {
    server.kill("SIGKILL");
    await ended;
  });
  const url = await addressOf(server);
  expect(await (await fetch(`${url}/ok`)).json()).toEqual({ ok: true });
  // Everything that it has written is in its home.
  expect(existsSync(join(image, ".tulipgraph"))).toBe(false);
  server.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
}, 900_000);

/** The first line of a server's output says where it listens. */
async function addressOf(server: ChildProcess): Promise<string> {
  let printed = "";
  for await (const part of server.stderr ?? []) {
    printed += String(part);
    const [, url] = /Server running at (\S+)/.exec(printed) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`the server has ended: ${printed}`);
}
