import { cpSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { runReport } from "../../../cli/runs/printRun.js";
import type { ChildScript } from "../../fakes/commandLine.js";
import type { Reply } from "../../fakes/scriptedModel.js";
import { linesOf, run, scriptIn, startChild, temporaryFolder } from "../support.js";

type Report = ReturnType<typeof runReport>;

const TOOLS = "tests/fixtures/budget/tools.ts";

/** The home of this file, whose tools are read only once. */
const HOME = process.env["TULIPGRAPH_HOME"] ?? "";
const CALL = (name: string): Reply => ({ calls: [{ name, args: { word: "tulip" } }] });

/** By calls of the current branch and tries at this point: two branches are abandoned, the third answers. */
const STEPS: Record<string, Reply> = {
  "0/0": CALL("closed_dictionary"),
  "1/0": { giveUp: "It is closed." },
  "0/1": CALL("cheap_dictionary"),
  "1/1": CALL("good_dictionary"),
  "2/0": { finish: "A tulip is a flower." },
};

beforeAll(async () => void (await run("tools", "import", TOOLS)));

/** A folder with a home in it that has the tools; every process on it follows the script. */
function workplace() {
  const folder = temporaryFolder();
  cpSync(HOME, join(folder, "home"), { recursive: true });
  const start = (argv: string[], changes: Partial<ChildScript> = {}) =>
    startChild({
      argv,
      env: {
        TULIPGRAPH_HOME: join(folder, "home"),
        ...scriptIn(folder, { subtasks: [], searches: [], act: [], steps: STEPS, ...changes }),
      },
    }).ended;
  const options = ["--library", "tools", "--model", "fake:child"];
  return {
    start,
    solve: async (graph: string, changes?: Partial<ChildScript>) => {
      const budget = ["--budget", "8", "--thread", "job", "--json"];
      return start(["solve", "Look tulip up", "--graph", graph, ...options, ...budget], changes);
    },
    questions: () => linesOf(join(folder, "questions.jsonl")),
  };
}

/** What must be equal in two runs of the same search. */
function outcome({ stdout }: { stdout: string }) {
  const { status, answer, calls, budget, usage } = JSON.parse(stdout) as Report;
  return {
    status,
    answer,
    calls: calls.map(({ tool, cost, helpful }) => ({ tool, cost, helpful })),
    spent: budget?.spent,
    modelCalls: usage.modelCalls,
  };
}

describe.each(["dfsdt_btp", "react_replan"])(
  "a run of %s that is killed in the middle",
  (graph) => {
    it("and resumed in another process spends exactly what an undisturbed one does", async () => {
      const undisturbed = workplace();
      const expected = outcome(await undisturbed.solve(graph));
      expect(expected.spent).toBeGreaterThan(0);
      expect(expected.spent).toBe(expected.calls.reduce((sum, { cost }) => sum + cost, 0));
      const asked = undisturbed.questions();
      for (let killAtQuestion = 2; killAtQuestion < asked.length; killAtQuestion++) {
        const place = workplace();
        const killed = await place.solve(graph, { killAtQuestion });
        expect(killed.code).toBeNull();
        const resumed = await place.start(["resume", "job", "--json"]);
        expect(outcome(resumed)).toEqual(expected);
        expect(place.questions()).toEqual(asked);
      }
    }, 900_000);
  },
);
