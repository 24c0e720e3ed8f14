import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { expect, it, onTestFinished } from "vitest";
import { copyClone } from "../fakes/clone.js";
import { ROOT, addressOf } from "../fakes/langgraphServer.js";
import { copiesIn, stagesOf } from "./dockerfile.js";
import { asOther, giveToOther } from "./otherUser.js";

/** The recipe's steps that call npm or our scripts, each with a time limit (ms). */
const STEP_MS = 600_000;

const [build = [], runtime = []] = stagesOf(join(ROOT, "deploy", "Dockerfile"));

/** A folder in which the recipe's steps are run as an image's build would, but without privileges. */
function builtImage() {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-image-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [context, image, home] = ["build", "image", "home"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  copyClone(context);
  mkdirSync(home);
  giveToOther(folder);
  const env = { ...process.env, HOME: home, npm_config_cache: join(home, ".npm") };
  const ours = build.filter(({ name, text }) => name === "RUN" && !text.includes("apt-get"));
  for (const { text } of ours) {
    const [program, args] = asOther("sh", "-c", text);
    execFileSync(program, args, { cwd: context, env, timeout: STEP_MS, stdio: "pipe" });
  }
  for (const { from, sources, target } of copiesIn(runtime)) {
    for (const source of sources) {
      const path = join(from ? context : ROOT, source.replace("/app/", ""));
      const to = sources.length > 1 || target === "./" ? join(target, source) : target;
      cpSync(path, join(image, to), { recursive: true, verbatimSymlinks: true });
    }
  }
  // Nobody but its builder may write there.
  execFileSync("chmod", ["-R", "go-w", image]);
  return { image, home };
}

it("builds an image without development packages, whose server another user than its owner runs", async () => {
  const { image, home } = builtImage();
  const development = ["vitest", "oxlint", "@langchain/langgraph-cli", "playwright-core"];
  const installed = (name: string) => existsSync(join(image, "node_modules", name));
  expect(development.filter(installed)).toEqual([]);
  const node = (code: string) => execFileSync(process.execPath, ["-e", code], { cwd: image });
  node("new (require('faiss-node').IndexFlatL2)(2).add([1, 2])");
  const [program, args] = asOther(process.execPath, "bin/tulipgraph.mjs", "serve", "--port", "0");
  const server = spawn(program, args, {
    cwd: image,
    env: { ...process.env, HOME: home, TULIPGRAPH_HOME: join(home, "data") },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(server, "exit");
  onTestFinished(async () => {
    server.kill("SIGKILL");
    await ended;
  });
  const url = await addressOf(server);
  expect(await (await fetch(`${url}/ok`)).json()).toEqual({ ok: true });
  const input = { request: "What is 3 times 4?" };
  const values = await new Client({ apiUrl: url }).runs.wait(null, "tulip", { input });
  expect(values).toMatchObject({ status: "solved", answer: expect.stringContaining("12") });
  // Everything that it has written is in its home.
  expect(existsSync(join(image, ".tulipgraph"))).toBe(false);
  server.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
}, 900_000);
