import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GoldCall, Task } from "../../../eval/benchmarks/benchmark.js";
import { openBenchmark } from "../../../eval/benchmarks/index.js";
import type { ComparedRun } from "../../../eval/replay/compareRuns.js";
import type { RecordedRuns } from "../../../eval/replay/recordingFile.js";
import type { ReplayRow } from "../../../eval/replay/replayReport.js";
import { closeWorkspaces } from "../../../home/workspace.js";
import { run, runJson } from "../../cli/support.js";
import { type Question, type Reply, scriptedModel } from "../../fakes/scriptedModel.js";

/** 40 runs of gold programs, and 60 of gold calls written as programs. */
const LIBRARIES = ["work", "math"] as const;

const folder = mkdtempSync(join(tmpdir(), "tulipgraph-replay-"));
afterAll(async () => {
  await closeWorkspaces();
  rmSync(folder, { recursive: true, force: true });
});

const fileOf = (library: string) => join(folder, `${library}.jsonl`);

/** What solves a task, as a program. */
function programOf({ program, calls = [] }: Task): string {
  if (program) return program;
  const lines = calls.map(
    ({ tool, args }, at) => `const r${at} = await ${tool}(${JSON.stringify(args)});`,
  );
  return [...lines, `return \`The result is \${r${calls.length - 1}}.\`;`].join("\n");
}

const tasks = new Map<string, Task>();
const recorded = new Map<string, GoldCall[]>();
const answers = new Map<string, string>();

/** Writes the gold program, or calls one after another what was recorded. */
function reply({ stage, input, messages }: Question): Reply {
  const { request } = input as { request: string };
  const task = tasks.get(request);
  if (!task) throw new Error(`no task asks “${request}”`);
  if (stage === "writeProgram") return { text: `\`\`\`ts\n${programOf(task)}\n\`\`\`` };
  const next = recorded.get(task.id)?.[messages.filter(({ type }) => type === "tool").length];
  if (next) return { calls: [{ name: next.tool, args: next.args }] };
  return { stop: answers.get(task.id) ?? "" };
}

const model = scriptedModel(reply).spec;

beforeAll(async () => {
  for (const library of LIBRARIES) {
    const { tasks: all } = await openBenchmark(library);
    const chosen = all.filter(({ program, calls = [] }) =>
      library === "work" ? program : calls.length > 0,
    );
    for (const task of chosen) {
      tasks.set(task.query, task);
      await run("solve", task.query, "--library", library, "--model", model, "--thread", task.id);
    }
    await run("eval", "from-threads", "--library", library, "--out", fileOf(library));
    for (const { id, recording } of runsIn(fileOf(library)).tasks) {
      recorded.set(id, recording.calls);
      answers.set(id, recording.answer);
    }
  }
}, 600_000);

function runsIn(file: string): RecordedRuns {
  const [first = "", ...lines] = readFileSync(file, "utf8").trim().split("\n");
  const { library } = JSON.parse(first) as Pick<RecordedRuns, "library">;
  return { library, tasks: lines.map((line) => JSON.parse(line) as RecordedRuns["tasks"][number]) };
}

let replays = 0;

async function replay(file: string, ...more: string[]) {
  const out = join(folder, `replay-${(replays += 1)}`);
  const argv = ["eval", "run", "--replay", "--tasks", file, "--out", out, "--models", model];
  const { json } = await runJson(...argv, ...more);
  const { rows, runs } = json as { rows: ReplayRow[]; runs: ComparedRun[] };
  return { rows, runs };
}

/** The recordings of math with changed tools. */
function changed(change: (tools: RecordedRuns["library"]["tools"]) => unknown[]): string {
  const { library, tasks: lines } = runsIn(fileOf("math"));
  const file = join(folder, `changed-${replays}.jsonl`);
  const whole = [{ library: { ...library, tools: change(library.tools) } }, ...lines];
  writeFileSync(file, whole.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

/** The runs that called a tool. */
const users = (tool: string) =>
  [...recorded].filter(([, calls]) => calls.some((call) => call.tool === tool)).map(([id]) => id);

const notSame = (runs: ComparedRun[]) =>
  runs.filter(({ verdict }) => verdict !== "same").map(({ task }) => task);

describe("a hundred recorded runs of work and math", () => {
  it("are the same when nothing has changed, and nothing is called", async () => {
    const all = [await replay(fileOf("work")), await replay(fileOf("math"))];
    const rows = all.flatMap((each) => each.rows);
    expect(all.flatMap(({ runs }) => notSame(runs))).toEqual([]);
    expect(rows.reduce((sum, { verdicts }) => sum + verdicts.same, 0)).toBe(100);
    expect(rows.map(({ live, unrecorded }) => live + unrecorded)).toEqual([0, 0]);
  }, 600_000);

  it("are the same in another graph that makes the same calls", async () => {
    const graphs = ["--graphs", "minimal_tulip", "--set", "topK=200", "--set", "threshold=0"];
    const { runs, rows } = await replay(fileOf("math"), ...graphs);
    expect(notSame(runs)).toEqual([]);
    expect(rows[0]?.now.modelCalls).toBeGreaterThan(rows[0]?.before.modelCalls ?? 0);
  }, 600_000);

  it("differ where they use a tool whose parameter has another name, and nowhere else", async () => {
    const file = changed((tools) =>
      tools.map((tool) => (tool.id === "multiply" ? withoutName(tool, "a", "first") : tool)),
    );
    const { runs } = await replay(file);
    expect(users("multiply").length).toBeGreaterThan(3);
    expect(notSame(runs).toSorted()).toEqual(users("multiply").toSorted());
  }, 600_000);

  it("differ where they use a tool that is gone, and nowhere else", async () => {
    const { runs } = await replay(changed((tools) => tools.filter(({ id }) => id !== "divide")));
    expect(users("divide").length).toBeGreaterThan(3);
    expect(notSame(runs).toSorted()).toEqual(users("divide").toSorted());
  }, 600_000);
});

function withoutName<Tool extends RecordedRuns["library"]["tools"][number]>(
  tool: Tool,
  from: string,
  to: string,
) {
  const { properties, required = [] } = tool.parameters;
  const entries = Object.entries(properties).map(([name, schema]) => [
    name === from ? to : name,
    schema,
  ]);
  const names = required.map((name) => (name === from ? to : name));
  return {
    ...tool,
    parameters: {
      ...tool.parameters,
      properties: Object.fromEntries(entries) as object,
      required: names,
    },
  };
}
