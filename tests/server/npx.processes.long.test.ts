import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { newHome } from "../fakes/homes.js";
import { ROOT, isAlive, watchProcesses } from "../fakes/langgraphServer.js";

const PATIENT = { timeout: 60_000 };

/** A project that has this package linked, and what its commands print. */
function project() {
  const home = newHome();
  mkdirSync(join(home, "node_modules/.bin"), { recursive: true });
  symlinkSync(ROOT, join(home, "node_modules/tulipgraph"));
  symlinkSync("../tulipgraph/bin/tulipgraph.mjs", join(home, "node_modules/.bin/tulipgraph"));
  const { env, seen } = watchProcesses(home);
  const pids = () => [...new Set(seen().map(({ pid }) => pid))];
  onTestFinished(() =>
    pids()
      .filter(isAlive)
      .forEach((pid) => process.kill(pid, "SIGKILL")),
  );
  return {
    home,
    /** Starts a command, and waits until it listens. */
    start: async (...command: string[]): Promise<{ npx: ChildProcess; url: string }> => {
      const npx = spawn("npx", command, {
        cwd: home,
        env: { PATH: process.env.PATH, HOME: home, TULIPGRAPH_HOME: home, ...env },
        stdio: ["ignore", "ignore", "pipe"],
      });
      let output = "";
      npx.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
      await expect.poll(() => output, PATIENT).toMatch(/http:\S+/);
      return { npx, url: new URL(/http:\S+/.exec(output)?.[0] ?? "").origin };
    },
    pids,
  };
}

const answers = (url: string) =>
  fetch(`${url}/ok`).then(
    () => true,
    () => false,
  );

const SERVERS = [
  ["serve", "--port", "0"],
  ["serve", "--port", "0", "--processes", "2"],
  ["mcp", "--http", "0", "--library", "math"],
];

it.each(
  SERVERS.flatMap((words) => (["SIGTERM", "SIGKILL"] as const).map((how) => ({ words, how }))),
)("npx tulipgraph $words leaves nothing behind when npx gets $how", async ({ words, how }) => {
  const { start, pids } = project();
  const { npx, url } = await start("--no-install", "tulipgraph", ...words);
  expect(await answers(url)).toBe(true);
  npx.kill(how);
  await expect.poll(() => pids().filter(isAlive), PATIENT).toEqual([]);
  expect(await answers(url)).toBe(false);
});

it("a server with a session of its own outlives the npx that ran the script", async () => {
  const { start, home } = project();
  const script = "setsid tulipgraph serve --port 0 & until [ -e seen ]; do sleep 0.1; done";
  const { npx, url } = await start("--no-install", "-c", script);
  writeFileSync(join(home, "seen"), "");
  await expect.poll(() => npx.exitCode ?? npx.signalCode, PATIENT).not.toBe(null);
  // Longer than a server takes to notice.
  await new Promise((done) => setTimeout(done, 3_000));
  expect(await answers(url)).toBe(true);
});
