import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { runCommand } from "../../scripts/setup/command.mjs";
import { projectRoot } from "../../scripts/setup/prepare.mjs";
import { fakeCommands, temporaryFolder } from "./workplace.js";

/** A built checkout with all packages, of which faiss-node has no binding. */
function checkoutWithoutBinding(): string {
  const root = temporaryFolder();
  const kept = readdirSync(projectRoot).filter(
    (name) => !/^(?:node_modules|tests|docs)$|^\.(?!npmrc)/.test(name),
  );
  for (const name of kept) cpSync(join(projectRoot, name), join(root, name), { recursive: true });
  const [from, to] = [join(projectRoot, "node_modules"), join(root, "node_modules")];
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name === ".package-lock.json") cpSync(join(from, name), join(to, name));
    else if (!/^\.|^faiss-node$/.test(name)) symlinkSync(join(from, name), join(to, name));
  }
  cpSync(join(from, "faiss-node"), join(to, "faiss-node"), { recursive: true });
  rmSync(join(to, "faiss-node/build"), { recursive: true, force: true });
  return root;
}

it("a checkout works where FAISS can be neither fetched nor compiled, and says so once, in one line", async () => {
  const root = checkoutWithoutBinding();
  const home = join(root, "home");
  // What is embedded takes no time; nothing is indexed yet.
  cpSync(inject("preparedHome"), home, { recursive: true });
  rmSync(join(home, "indexes"), { recursive: true });
  const env = {
    // Neither a compiler nor apt, and nobody who serves a binding.
    PATH: fakeCommands(temporaryFolder(), {}),
    npm_config_faiss_node_binary_host_mirror: "http://127.0.0.1:9",
    HOME: root,
    TULIPGRAPH_HOME: home,
    TULIPGRAPH_LOCAL_MODELS: "off",
  };
  const start = async (...words: string[]) => {
    const args = [join(root, "bin/tulipgraph.mjs"), ...words];
    const { code, output } = await runCommand({ command: process.execPath, args, cwd: root, env });
    const said = output.split("\n").filter((line) => /^set-up: (?!.* …$|.*: done in)/.test(line));
    return { code, output, said };
  };
  const first = await start("What is 3 times 4?");
  expect(first.output).toContain("The result is 12");
  expect(first.code).toBe(0);
  expect(first.said).toEqual([
    expect.stringMatching(/FAISS .*libfaiss-dev.* TULIPGRAPH_FAISS=build npm run setup$/),
  ]);
  expect(existsSync(join(root, "node_modules/faiss-node/build"))).toBe(false);
  expect(await start("tools", "list")).toMatchObject({ code: 0, said: [] });
});
