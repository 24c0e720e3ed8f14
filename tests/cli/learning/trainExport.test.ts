import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { closeWorkspaces, openWorkspace } from "../../../nodes/workspace/workspace.js";
import { type Question, type Reply, scriptedModel } from "../../fakes/scriptedModel.js";
import { copyLibraryHome } from "../libraryHome.js";
import { demonstration } from "../../memory/demonstrations/support.js";
import { LIBRARY_OPTIONS, errorLine, run, temporaryFolder } from "../support.js";

let file: string;
beforeEach(async () => {
  vi.unstubAllEnvs();
  const folder = temporaryFolder();
  file = join(folder, "set.jsonl");
  vi.stubEnv("TULIPGRAPH_HOME", await copyLibraryHome(folder));
  vi.stubEnv("OPENAI_API_KEY", "");
  vi.stubEnv("OPENAI_BASE_URL", "");
});
afterAll(closeWorkspaces);

/** Runs the command and returns its output. */
async function exportSet(...options: string[]): Promise<string> {
  return (await exporting(...options)).stdout;
}

const exporting = (...options: string[]) =>
  run("train", "export", file, "--library", "test", ...options);

async function addDemonstrations(count: number): Promise<void> {
  const calls = [{ tool: "double_number", args: { value: 2 }, result: 4 }];
  await openWorkspace()
    .experience()
    .demonstrations.add(
      Array.from({ length: count }, (_, at) =>
        demonstration({ library: "test", task: `double ${at}`, calls, answer: "4" }),
      ),
    );
}

/** The requests of a set, sorted. */
function requestsOf(file: string): string[] {
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => {
      const { messages } = JSON.parse(line) as { messages: { content: string }[] };
      return messages[1]?.content ?? "";
    })
    .toSorted((one, other) => one.localeCompare(other));
}

/** Counts the wordings so far, and repeats the request. */
function wordings(question: Question): Reply {
  if (question.stage !== "rewrite") return { text: "" };
  const { request, taken } = question.input;
  return { text: JSON.stringify({ request: `${taken.length}. time: ${request}` }) };
}

describe("train export", () => {
  it("writes an example for each demonstration, and says how many and how long they are", async () => {
    await addDemonstrations(3);
    const printed = await exportSet("--irrelevant", "2", "--copies", "2");
    expect(printed).toMatch(/^examples +6 \(left out: 0 .*\)$/m);
    expect(printed).toMatch(/^tasks +3 with one call, 0 with more$/m);
    expect(printed).toMatch(/^tokens +\d+, \d+ an example, at most \d+ \(estimated\)$/m);
    expect(requestsOf(file)).toEqual(
      ["double 0", "double 1", "double 2"].flatMap((task) => [task, task]),
    );
  });

  it("takes runs that have solved their requests, unless it is told not to", async () => {
    await addDemonstrations(1);
    const answers = [{ calls: [{ name: "double_number", args: { value: 21 } }] }, { stop: "42" }];
    for (const [request, solved] of [
      ["Twice 21", true],
      ["Not so", false],
    ] as const) {
      const [call, stop] = answers;
      const model = scriptedModel([call, { ...stop, solved }] as never);
      await run(
        "solve",
        request,
        "--graph",
        "naive_tool",
        "--model",
        model.spec,
        ...LIBRARY_OPTIONS,
      );
    }
    expect(JSON.parse(await exportSet("--json"))).toMatchObject({ examples: 2, singleStep: 2 });
    expect(requestsOf(file)).toEqual(["double 0", "Twice 21"]);
    expect(JSON.parse(await exportSet("--no-runs", "--json"))).toMatchObject({ examples: 1 });
  });

  it.each([
    [["--multi-step", "1.5"], /--multi-step.*Not a share/],
    [["--irrelevant", "-1"], /--irrelevant.*Not a whole number from 0 up/],
    [["--library", "none"], /unknown library "none"/],
  ])("refuses %j and writes nothing", async (options, message) => {
    await addDemonstrations(12);
    expect(errorLine(await exporting(...options))).toMatch(message);
    expect(existsSync(file)).toBe(false);
  });

  it("says what to do when there is nothing to make examples of", async () => {
    expect(errorLine(await exporting())).toMatch(/0 can be made .*memory import FILE$/);
  });
});

describe("train export --rewrites", () => {
  it("adds one rewording of each task by the named model, or as many as wanted", async () => {
    await addDemonstrations(2);
    const { spec } = scriptedModel(wordings);
    const printed = await exportSet("--model", spec, "--rewrites", "2");
    expect(printed).toMatch(/^rewrites +4 \(left out: 0 as there already, 0 .*\), 4 model calls$/m);
    expect(requestsOf(file)).toEqual([
      "1. time: double 0",
      "1. time: double 1",
      "2. time: double 0",
      "2. time: double 1",
      "double 0",
      "double 1",
    ]);
    const json = JSON.parse(await exportSet("--model", spec, "--json"));
    expect(json).toMatchObject({ examples: 4, rewriting: { made: 2, usage: { modelCalls: 2 } } });
  });

  it("says in one line which option names a model if none is set, and writes nothing", async () => {
    await addDemonstrations(1);
    expect(errorLine(await exporting("--rewrites", "2"))).toMatch(
      /rewrites: offline:planner cannot .*--model/,
    );
    expect(existsSync(file)).toBe(false);
    expect(errorLine(await exporting("--rewrites", "-1"))).toMatch(
      /--rewrites.*Not a whole number from 0 up/,
    );
  });
});
