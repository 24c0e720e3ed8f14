import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RunRecord } from "../../../eval/runs/runRecord.js";
import { startChatEndpoint } from "../../fakes/chatEndpoint.js";
import { isAlive, watchProcesses } from "../../fakes/langgraphServer.js";
import { type Child, linesOf, startChild, temporaryFolder } from "../support.js";

const TASKS = 8;
const JOBS = 2;

/** A model that answers one question at once, and the others on command. */
async function heldModel() {
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const endpoint = await startChatEndpoint(async (_request, index) => {
    if (index > 0) await released;
    return { content: "Nobody knows." };
  });
  onTestFinished(async () => await endpoint.close());
  return { release, url: endpoint.url, asked: () => endpoint.requests.length };
}

/** A folder for results, in which batches are started whose runs ask the held model. */
async function workplace() {
  const folder = temporaryFolder();
  const out = join(folder, "out");
  const results = () => linesOf(join(out, "runs.jsonl"));
  const model = await heldModel();
  const watched = watchProcesses(folder);
  const env = { ...watched.env, OPENAI_API_KEY: "none", OPENAI_BASE_URL: model.url };
  const run = ["eval", "run", "--benchmark", "math", "--models", "openai:held", "--out", out];
  const size = ["--graphs", "base", "--limit", String(TASKS), "--set", "modelTimeoutMs=600000"];
  const how = ["--jobs", String(JOBS), "--checkpoints", "none", "--concurrency", String(JOBS)];
  return {
    release: model.release,
    start: () => startChild({ argv: [...run, ...size, ...how], env }),
    /** Waits until one run has ended and every process waits for the model with another. */
    allAtWork: async () => {
      while (results().length === 0 || model.asked() <= JOBS) await pause(20);
    },
    /** Ids of the processes that the only batch so far has started. */
    jobsOf: ({ process: batch }: Child) =>
      [...new Set(watched.seen().map(({ pid }) => pid))].filter((pid) => pid !== batch.pid),
    ended: () =>
      results()
        .map((line) => JSON.parse(line) as RunRecord)
        .filter(({ error }) => error === undefined)
        .map(({ task }) => task),
  };
}

async function allEnded(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await pause(20);
}

describe("a batch in several processes", () => {
  it("takes its processes with it when it is killed, and continues with the same command", async () => {
    const place = await workplace();
    const killed = place.start();
    await place.allAtWork();
    const jobs = place.jobsOf(killed);
    killed.process.kill("SIGKILL");
    await killed.ended;
    await allEnded(jobs);
    expect(jobs).toHaveLength(JOBS);
    expect(place.ended()).toHaveLength(1);

    place.release();
    expect((await place.start().ended).code).toBe(0);
    expect(place.ended()).toHaveLength(TASKS);
    expect(new Set(place.ended()).size).toBe(TASKS);
  }, 900_000);

  it("ends them on Ctrl-C with exit code 130", async () => {
    const place = await workplace();
    const stopped = place.start();
    await place.allAtWork();
    const jobs = place.jobsOf(stopped);
    // A terminal signals all of them at once.
    for (const pid of jobs) process.kill(pid, "SIGINT");
    stopped.process.kill("SIGINT");
    const { code, stderr } = await stopped.ended;
    expect({ code, alive: jobs.filter(isAlive) }).toEqual({ code: 130, alive: [] });
    expect(stderr).toContain("cancelled; the same command continues where it stopped");
  }, 900_000);
});
