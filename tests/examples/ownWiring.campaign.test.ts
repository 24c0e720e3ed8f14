import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";

/** The example with the package installed as the tests have built it; the dependencies are linked, not fetched again. */
function installedExample(): string {
  const folder = mkdtempSync(join(tmpdir(), "own-wiring-"));
  cpSync("examples/own-wiring", folder, { recursive: true });
  run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder]);
  const [tarball = ""] = readdirSync(folder).filter((file) => file.endsWith(".tgz"));
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "tulipgraph"), { recursive: true });
  run("tar", [
    "-xzf",
    join(folder, tarball),
    "-C",
    join(modules, "tulipgraph"),
    "--strip-components=1",
  ]);
  for (const name of readdirSync("node_modules").filter((entry) => !entry.startsWith("."))) {
    symlinkSync(join(process.cwd(), "node_modules", name), join(modules, name));
  }
  return folder;
}

function run(command: string, args: string[], cwd = "."): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
  return stdout;
}

afterEach(() => void vi.unstubAllEnvs());

describe("a wiring of your own, of the stages and one more in under 40 lines", () => {
  const folder = installedExample();
  const program = join(folder, "node_modules/tulipgraph/bin/tulipgraph.mjs");
  const tulipgraph = (args: string[], cwd = folder) =>
    run(process.execPath, [program, ...args], cwd);
  const request = "What is the area of a circle with radius 3?";

  it("answers on the command line, and a thread of it goes on from anywhere", () => {
    expect(readFileSync(join(folder, "citing.ts"), "utf8").split("\n").length).toBeLessThan(40);
    vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
    const printed = tulipgraph(["solve", request, "--graph", "citing.ts", "--thread", "one"]);
    expect(printed).toMatch(/28\.27.* \(by area_circle\)\n/);
    expect(tulipgraph(["threads", "one", "--json"], tmpdir())).toContain("(by area_circle)");
  });

  it("is drawn", () => {
    expect(tulipgraph(["graphs", "citing.ts"])).toContain("act -.-> cite");
  });

  it("is compared with other graphs", () => {
    const grid = ["--graphs", "./citing.ts,minimal_tulip", "--limit", "1", "--out", "results"];
    // The offline planner may not solve the task; what counts is that both graphs ran it.
    const printed = spawnSync(
      process.execPath,
      [program, "eval", "run", "--benchmark", "math", ...grid],
      { cwd: folder, encoding: "utf8" },
    ).stdout;
    expect(printed).toMatch(/^citing +/m);
    expect(printed).toMatch(/^minimal_tulip +/m);
  });

  it("is served under a name of its own", async () => {
    const server = spawn(
      process.execPath,
      [program, "serve", "--port", "0", "--graph", "mine=citing.ts"],
      { cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
    );
    onTestFinished(() => void server.kill());
    const apiUrl = await new Promise<string>((resolve, reject) => {
      let said = "";
      server.stderr.on("data", (text) => {
        said += String(text);
        const [, url] = /Server running at (\S+)/.exec(said) ?? [];
        if (url !== undefined) resolve(url);
      });
      server.on("exit", () => reject(new Error(said)));
    });
    const values = await new Client({ apiUrl }).runs.wait(null, "mine", { input: { request } });
    expect(values).toMatchObject({ answer: expect.stringMatching(/28\.27.* \(by area_circle\)/) });
  });
});
