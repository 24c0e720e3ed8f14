import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { errorLine, run, temporaryFolder } from "./support.js";

/** How each shell says what may follow words, given our script. */
const ASKING = {
  bash: (file: string, words: string[]) =>
    `source ${file}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _tulipgraph; printf '%s\\n' "\${COMPREPLY[@]}"`,
  fish: (file: string, words: string[]) => `source ${file}; complete -C '${words.join(" ")}'`,
};

function has(shell: string): boolean {
  return spawnSync(shell, ["-c", "true"]).status === 0;
}

async function completed(shell: keyof typeof ASKING, ...words: string[]): Promise<string[]> {
  const { stdout } = await run("completion", shell);
  const file = join(temporaryFolder(), "script");
  writeFileSync(file, stdout);
  const asked = ASKING[shell](file, ["tulipgraph", ...words]);
  const home = { ...process.env, HOME: temporaryFolder() };
  return execFileSync(shell, ["-c", asked], { env: home }).toString().trim().split("\n");
}

describe.each(["bash", "fish"] as const)("in %s", (shell) => {
  it.runIf(has(shell))("commands, subcommands and options are completed", async () => {
    expect(await completed(shell, "so")).toEqual(["solve"]);
    expect(await completed(shell, "tools", "sea")).toEqual(["search"]);
    expect(await completed(shell, "tools", "import", "openapi", "api.json", "--no-d")).toEqual([
      "--no-deprecated",
    ]);
    expect(await completed(shell, "solve", "a request", "--gr")).toEqual(["--graph"]);
    expect(await completed(shell, "eval", "")).toContain("report");
  });
});

it.runIf(has("zsh"))("the script for zsh is one that zsh can read", async () => {
  const file = join(temporaryFolder(), "script");
  writeFileSync(file, (await run("completion", "zsh")).stdout);
  const loaded = `autoload -U compinit && compinit -u -D; source ${file}; print $_comps[tulipgraph]`;
  expect(execFileSync("zsh", ["-fc", loaded]).toString()).toContain("_tulipgraph");
});

it("another shell is refused with those that there are", async () => {
  expect(errorLine(await run("completion", "tcsh"))).toMatch(/choices are bash, zsh, fish/);
});
