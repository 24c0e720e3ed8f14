import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ModelFailed } from "../../../../common/errors.js";
import { type JobRunner, jobRunner } from "../../../../eval/runs/jobs/jobRunner.js";
import { AttemptLost, type RunRequest } from "../../../../eval/runs/runner.js";
import { openWorkspace } from "../../../../nodes/workspace/workspace.js";
import type { Usage } from "../../../../state/state.js";
import { isAlive } from "../../../fakes/langgraphServer.js";
import { processOf } from "../../../fakes/processName.js";
import { TEST_LIBRARY, importTestLibrary } from "../../../fakes/testLibrary.js";
import { programFile } from "../../../fakes/programs.js";

const PROGRAM = pathToFileURL(programFile("tests/fakes/evaluationJob.ts"));

/** Each process compiles and loads the project itself, which takes long on a busy machine, in milliseconds. */
const PATIENCE_MS = 300_000;

/** Processes that work in the home of this test file. */
function startJobs(jobs: number) {
  const setup = {
    home: openWorkspace().home,
    benchmark: "math",
    checkpoints: "none" as const,
  };
  return jobRunner({ jobs, setup, program: PROGRAM });
}

function requestOf(threadKey: string, changes: Partial<RunRequest> = {}): RunRequest {
  return {
    graph: "naive_tool",
    threadKey,
    request: "Double 1",
    settings: { ...TEST_LIBRARY, model: "fake:job" },
    signal: new AbortController().signal,
    ...changes,
  };
}

describe("runs in several processes", { timeout: PATIENCE_MS }, () => {
  let shared: JobRunner;
  beforeAll(async () => {
    await importTestLibrary();
    shared = startJobs(2);
  });
  afterAll(() => shared.close());

  it("are those that one process makes, each in the process with the fewest", async () => {
    const used: Usage[] = [];
    const onUsage = (usage: Usage) => void used.push(usage);
    const states = await Promise.all([
      shared.run(requestOf("a", { onUsage })),
      shared.run(requestOf("b")),
    ]);
    const [a, b] = states;
    expect(a).toMatchObject({
      threadId: "a",
      resumed: false,
      values: { status: "solved", calls: [{ tool: "double_number", result: 2 }] },
    });
    expect(a?.stages.map(({ stage }) => stage).join(" ")).toBe(
      "intake search act execute act respond",
    );
    expect(used.at(-1)).toMatchObject({ modelCalls: 2 });
    expect(a?.values.answer).toMatch(/^Two, made by [a-j]+\.$/);
    expect(a?.values.answer).not.toBe(b?.values.answer);
  });

  it("give back what broke them off, and how long a provider wants to be left alone", async () => {
    const { failure } = await shared.run(requestOf("busy", { request: "fail" }));
    expect(failure).toBeInstanceOf(ModelFailed);
    expect((failure as ModelFailed).details).toMatchObject({ overloaded: { retryAfterMs: 7 } });
  });

  it("are lost where an earlier process has made a part of them", async () => {
    await shared.run(requestOf("twice"));
    await expect(shared.run(requestOf("twice"))).rejects.toThrow(AttemptLost);
  });

  it("end with an error in one line when their process is killed, as do all that are asked for later", async () => {
    const runner = startJobs(1);
    onTestFinished(() => runner.close());
    const ended = /a process that made its runs has ended \(SIGKILL\)/;
    await expect(runner.run(requestOf("lost", { request: "lose" }))).rejects.toThrow(ended);
    await expect(runner.run(requestOf("later"))).rejects.toThrow(ended);
  });

  it("end with the reason of their signal, and their processes with the runner", async () => {
    const runner = startJobs(1);
    const { values } = await runner.run(requestOf("first"));
    const pid = processOf(/by ([a-j]+)\./.exec(values.answer ?? "")?.[1] ?? "");
    const controller = new AbortController();
    const run = runner.run(requestOf("stopped", { signal: controller.signal }));
    controller.abort(new Error("enough"));
    await expect(run).rejects.toThrow("enough");
    await runner.close();
    expect(isAlive(pid)).toBe(false);
  });

  it("refuse a program that fails at its start", async () => {
    const setup = { home: openWorkspace().home, benchmark: "no_such_benchmark" };
    const runner = jobRunner({ jobs: 1, setup, program: PROGRAM });
    onTestFinished(() => runner.close());
    await expect(runner.run(requestOf("any"))).rejects.toThrow(/unknown benchmark/);
  });
});
