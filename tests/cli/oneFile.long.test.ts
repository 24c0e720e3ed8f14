import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, inject, it } from "vitest";
import { newHome } from "../fakes/homes.js";

const ROOT = process.cwd();
const MAIN = pathToFileURL(join(ROOT, "dist/cli/main.js")).href;
const HOOKS = pathToFileURL(join(ROOT, "tests/fixtures/cli/loadedModules.mjs")).href;

interface Answer {
  answer: string;
  status: string;
  calls: { tool: string; args: unknown; result?: unknown; error?: string }[];
}

/** A home with the shipped libraries, and its commands, which say which modules they have loaded. */
function home(variables: Record<string, string> = {}) {
  const folder = newHome();
  cpSync(inject("preparedHome"), folder, { recursive: true });
  const LOADED_MODULES = join(folder, "loaded.txt");
  const env = {
    ...process.env,
    TULIPGRAPH_HOME: folder,
    TULIPGRAPH_LOCAL_MODELS: "off",
    LOADED_MODULES,
    ...variables,
  };
  const run = (program: string[], words: string[]) => {
    const args = ["--import", HOOKS, ...program, ...words];
    const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
    return { stdout, stderr, loaded: readFileSync(LOADED_MODULES, "utf8") };
  };
  return {
    tulipgraph: (...words: string[]) => run(["bin/tulipgraph.mjs"], words),
    /** The same without the one file. */
    byModules: (...words: string[]) => {
      const program = `const { main } = await import("${MAIN}"); await main(process.argv.slice(1))`;
      return run(["--input-type=module", "-e", program, "--"], words);
    },
  };
}

function answerIn(printed: string): Answer {
  const { answer, status, calls } = JSON.parse(printed) as Answer;
  return {
    answer,
    status,
    calls: calls.map(({ tool, args, result, error }) => ({ tool, args, result, error })),
  };
}

describe("a request", () => {
  it.each([
    ["math", "What is 45342 * 23487 + 32478?"],
    ["work", "Which sprints are there?"],
  ])(
    "of the library %s is solved from one file, without LangChain's modules, as by modules",
    (library, request) => {
      const words = ["solve", request, "--library", library, "--json"];
      const fromFile = home().tulipgraph(...words);
      expect(fromFile.loaded).not.toMatch(/@langchain|dist\/cli\/main\.js/);
      const { stdout } = home().byModules(...words);
      expect(answerIn(fromFile.stdout)).toEqual(answerIn(stdout));
      expect(answerIn(stdout).status).toBe("solved");
    },
  );

  it("leaves a thread that modules show, and go on with", () => {
    const { tulipgraph, byModules } = home();
    tulipgraph("What is 3 * 7?", "--thread", "one");
    expect(byModules("threads", "one", "--json").stdout).toContain("21");
    const more = ["solve", "What is 4 * 8?", "--thread", "one", "--json"];
    expect(answerIn(byModules(...more).stdout).answer).toContain("32");
    expect(answerIn(tulipgraph(...more).stdout).answer).toContain("32");
  });
});

describe("what has LangChain's objects of its own", () => {
  it("the wiring in a user's file runs by modules", () => {
    const graph = "examples/own-wiring/citing.ts";
    const request = "What is the area of a circle with radius 3?";
    const { stdout, loaded } = home().tulipgraph("solve", request, "--graph", graph);
    expect(loaded).toContain(MAIN);
    expect(stdout).toMatch(/28\.27.* \(by area_circle\)\n/);
  });

  it("and what could be used as a model is told once", () => {
    const { tulipgraph } = home({ MISTRAL_API_KEY: "none" });
    const { stderr } = tulipgraph("What is 3 * 7?", "--graph", "examples/own-wiring/citing.ts");
    expect(stderr.match(/MISTRAL_API_KEY is set/g)).toHaveLength(1);
  });

  it("a user's vector store is searched by modules", () => {
    const { tulipgraph } = home({ TULIPGRAPH_VECTOR_STORE: "tests/fixtures/countedStore.mjs" });
    const { stdout, loaded } = tulipgraph("What is 3 * 7?");
    expect(loaded).toContain(MAIN);
    expect(stdout).toContain("The result is 21.");
  });

  it.each([
    ["model", "anthropic:claude-haiku-4-5"],
    ["reflectModel", "mistralai:mistral-small-latest"],
  ])("the setting %s=%s is met by modules", (setting, model) => {
    const { loaded } = home().tulipgraph("What is 3 * 7?", "--set", `${setting}=${model}`);
    expect(loaded).toContain(MAIN);
  });
});
