import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

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

it("a package of your own makes a graph of the stages and one more in under 40 lines", () => {
  const folder = installedExample();
  expect(readFileSync(join(folder, "citing.ts"), "utf8").split("\n").length).toBeLessThan(40);
  const answer = run(
    "npm",
    ["start", "--silent", "--", "What is the area of a circle with radius 3?"],
    folder,
  );
  expect(answer).toMatch(/28\.27.* \(by area_circle\)\n$/);
});
