import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { programFile } from "../fakes/programs.js";
import { importTestLibrary } from "../fakes/testLibrary.js";
import { errorLine, run, temporaryFolder } from "./support.js";

/** How each shell says what words may go on with, given our script. Bash sees `=` and `:` as words. */
const ASKING = {
  bash: (file: string, words: string[]) => {
    const split = words.flatMap((word) => word.match(/[=:]|[^=:]+/g) ?? [""]);
    return `source ${file}; COMP_WORDS=(${quoted(split)}); COMP_CWORD=${split.length - 1}; _tulipgraph; printf '%s\\n' "\${COMPREPLY[@]}"`;
  },
  zsh: (file: string, words: string[]) =>
    `compdef() { : }; compadd() { while [[ $1 != -- ]]; do shift; done; shift; (( $# )) && print -l -- "$@" }; _files() { : }; source ${file}; words=(${quoted(words)}); CURRENT=${words.length}; _tulipgraph`,
  fish: (file: string, words: string[]) => `source ${file}; complete -C '${words.join(" ")}'`,
};

function quoted(words: string[]): string {
  return words.map((word) => `'${word}'`).join(" ");
}

function has(shell: string): boolean {
  return spawnSync(shell, ["-c", "true"]).status === 0;
}

/** What a shell offers after words. */
async function completed(shell: keyof typeof ASKING, ...words: string[]): Promise<string[]> {
  const folder = temporaryFolder();
  const program = join(folder, "tulipgraph");
  writeFileSync(
    program,
    `#!/bin/sh\nexec "${process.execPath}" "${programFile("tests/fakes/commandLine.ts")}" "$@"\n`,
  );
  chmodSync(program, 0o755);
  const file = join(folder, "script");
  writeFileSync(file, (await run("completion", shell)).stdout);
  const asked = ASKING[shell](file, ["tulipgraph", ...words]);
  const env = { ...process.env, HOME: temporaryFolder(), PATH: `${folder}:${process.env["PATH"]}` };
  const argv = shell === "zsh" ? ["-fc", asked] : ["-c", asked];
  return execFileSync(shell, argv, { env, cwd: folder }).toString().trim().split("\n").toSorted();
}

describe.each(["bash", "zsh", "fish"] as const)("in %s", (shell) => {
  it.runIf(has(shell))("commands, options and their values are completed", async () => {
    expect(await completed(shell, "so")).toEqual(["solve"]);
    expect(await completed(shell, "solve", "a request", "--graph", "naive_tu")).toEqual([
      "naive_tulip",
    ]);
    const plan = await completed(shell, "solve", "--set", "approval=pl");
    expect(plan).toEqual([shell === "bash" ? "plan" : "approval=plan"]);
  });
});

describe("what may come next", () => {
  beforeAll(importTestLibrary);
  it.each<[typed: string[], offered: string[]]>([
    [["tools", "sea"], ["search"]],
    [["eval", "rep"], ["report"]],
    [["tools", "import", "openapi", "api.json", "--no-d"], ["--no-deprecated"]],
    [["a request", "--gr"], ["--graph"]],
    [["graphs", "naive_tu"], ["naive_tulip"]],
    [["solve", "--graph=naive_tu"], ["--graph=naive_tulip"]],
    [["eval", "run", "--graphs", "base,naive_tu"], ["base,naive_tulip"]],
    [["solve", "--set", "appr"], ["approval="]],
    [
      ["solve", "--set", "remember="],
      ["remember=true", "remember=false"],
    ],
    [["tools", "list", "--library", "tes"], ["test"]],
    [["tools", "--library", "wo"], ["work"]],
    [["tools", "doctor", "--level", "er"], ["error"]],
    [["completion", "fi"], ["fish"]],
    [["nonsense", ""], []],
    [["eval", "run", "--tasks", ""], []],
  ])("after %j is %j", async (typed, offered) => {
    const { stdout } = await run("completion", "fish", "--", ...typed);
    expect(stdout.split("\n").slice(0, -1)).toEqual(offered);
  });

  it("is looked up without making a home", async () => {
    const home = join(temporaryFolder(), "home");
    vi.stubEnv("TULIPGRAPH_HOME", home);
    const { stdout } = await run("completion", "fish", "--", "solve", "--library", "");
    vi.unstubAllEnvs();
    expect(stdout).toContain("math\n");
    expect(existsSync(home)).toBe(false);
  });
});

it("another shell is refused with those that there are", async () => {
  expect(errorLine(await run("completion", "tcsh"))).toMatch(/choices are bash, zsh, fish/);
});
