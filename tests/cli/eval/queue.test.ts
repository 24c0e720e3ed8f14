import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../../eval/runs/runRecord.js";
import { hasPostgres, newDatabase } from "../../fakes/homes.js";
import { recordsIn, tableOf, TWO_WRITES } from "./support.js";
import { errorLine, run, scriptIn, startChild, temporaryFolder } from "../support.js";

const TASKS = 6;

const SCRIPT = { subtasks: [], searches: [], act: TWO_WRITES, delayMs: 30 };

/** An evaluation on work items, a queue for it, and what is started for both. */
async function evaluation(script: Parameters<typeof scriptIn>[1] = SCRIPT) {
  const folder = temporaryFolder();
  const url = await newDatabase();
  const env = scriptIn(folder, script);
  const options = ["--limit", String(TASKS), "--graphs", "naive_tool", "--models", "fake:child"];
  const begin = ["eval", "run", "--benchmark", "work", ...options];
  return {
    folder,
    url,
    /** As it is run on one machine. */
    local: (out: string) => startChild({ argv: [...begin, "--out", join(folder, out)], env }),
    distributed: (out: string, ...more: string[]) =>
      startChild({
        argv: [...begin, "--out", join(folder, out), "--queue", url, "--lease", "2", ...more],
        env,
      }),
    worker: (...more: string[]) =>
      startChild({ argv: ["eval", "work", "--queue", url, "--concurrency", "2", ...more], env }),
    records: (out: string) => recordsIn(join(folder, out)),
    table: (out: string) => tableOf(join(folder, out)),
  };
}

/** The lines in the order of the plan, without what differs between runs. */
function timeless(records: readonly RunRecord[]): string[] {
  const texts = records.map(({ startedAt: _s, endedAt: _e, wallMs: _w, threadId: _t, ...record }) =>
    JSON.stringify(record, (key, value: unknown) =>
      key === "ms" ? 0 : key === "id" && String(value).startsWith("call") ? "id" : value,
    ),
  );
  return texts.toSorted();
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until a query of the queue, whose tables may not exist yet, returns a row. */
async function row(url: string, text: string): Promise<void> {
  while ((await query(url, text).catch(() => [])).length === 0) await pause(50);
}

/** There is only one session, whatever its name. */
async function jobs(url: string): Promise<unknown[]> {
  return await query(url, JOBS).catch(() => []);
}

const JOBS = "SELECT state::text, retry_count FROM tulipgraph_queue.job";
const SESSIONS = "SELECT * FROM tulipgraph_evaluations.sessions";

describe.skipIf(!hasPostgres)("an evaluation over several machines", () => {
  it("leaves the same lines and the same table as one on this machine, and nothing in the queue", async () => {
    const given = await evaluation();
    expect(await given.local("calm").ended).toMatchObject({ code: 0 });
    const distributed = given.distributed("queue");
    await row(given.url, SESSIONS);
    const workers = [given.worker("--until-empty"), given.worker("--until-empty")];
    expect(await distributed.ended).toMatchObject({ code: 0 });
    const ended = await Promise.all(workers.map((worker) => worker.ended));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(timeless(given.records("queue"))).toEqual(timeless(given.records("calm")));
    expect(await given.table("queue")).toEqual(await given.table("calm"));
    expect(await query(given.url, SESSIONS)).toEqual([]);
    expect(await query(given.url, "SELECT * FROM tulipgraph_evaluations.reports")).toEqual([]);
  }, 900_000);

  it("ends with the same table when workers are killed at random, no run lost and none counted twice", async () => {
    const given = await evaluation({ ...SCRIPT, delayMs: 300 });
    expect(await given.local("calm").ended).toMatchObject({ code: 0 });
    const distributed = given.distributed("killed");
    await row(given.url, SESSIONS);
    const moments: number[] = [];
    for (let kill = 0; kill < 3; kill += 1) {
      const worker = given.worker();
      // Three workers cannot make all 18 replies before they are killed.
      await row(given.url, `${JOBS} WHERE state = 'active'`);
      moments.push(Math.random() * 600);
      await pause(moments.at(-1));
      worker.process.kill("SIGKILL");
      await worker.ended;
    }
    const last = given.worker("--until-empty");
    expect(await distributed.ended).toMatchObject({ code: 0 });
    await last.ended;
    const records = given.records("killed");
    expect({ moments, runs: records.length }).toEqual({ moments, runs: TASKS });
    expect({ moments, lines: timeless(records) }).toEqual({
      moments,
      lines: timeless(given.records("calm")),
    });
    expect(await given.table("killed")).toEqual(await given.table("calm"));
  }, 900_000);

  it("continues when `eval run` is killed and started again, without repeating what workers made meanwhile", async () => {
    const given = await evaluation();
    const killed = given.distributed("out");
    // All jobs are there before it goes.
    while ((await jobs(given.url)).length < TASKS) await pause(50);
    killed.process.kill("SIGKILL");
    await killed.ended;
    const worker = given.worker("--until-empty");
    expect((await worker.ended).stderr).toContain(`${TASKS} runs made`);
    expect(await given.distributed("out").ended).toMatchObject({ code: 0 });
    expect(given.records("out")).toHaveLength(TASKS);
    expect(await given.table("out")).toMatchObject({ missing: 0 });
  }, 900_000);

  it("lets a worker finish its runs at the first Ctrl-C, and give them back when its service ends", async () => {
    const folder = temporaryFolder();
    const gate = join(folder, "gate");
    const given = await evaluation({ ...SCRIPT, hold: { from: 1, gate } });
    const distributed = given.distributed("out", "--lease", "60");
    await row(given.url, SESSIONS);
    const worker = given.worker();
    await row(given.url, `${JOBS} WHERE state = 'active'`);
    worker.process.kill("SIGINT");
    await pause(1000);
    expect(worker.process.exitCode).toBeNull();
    worker.process.kill("SIGTERM");
    // The model of the tests ignores signals.
    await pause(200);
    writeFileSync(gate, "");
    const { code, stderr } = await worker.ended;
    expect(code).toBe(130);
    expect(stderr).toContain("taking no more runs");
    expect(stderr).toContain("0 runs made");
    expect(await jobs(given.url)).toEqual(
      Array.from({ length: TASKS }, () => ({ state: "created", retry_count: 0 })),
    );
    distributed.process.kill("SIGINT");
    expect((await distributed.ended).stderr).toContain("the same command continues");
    expect(await jobs(given.url)).toEqual([]);
  }, 900_000);

  it("is left alone by a worker with another version, or without the data of its world", async () => {
    const given = await evaluation();
    const distributed = given.distributed("out");
    await row(given.url, SESSIONS);
    const { setup, version } = (await query(given.url, SESSIONS))[0] as Record<string, string>;
    const stderrOf = async (changes: string) => {
      await query(given.url, `UPDATE tulipgraph_evaluations.sessions SET ${changes}`);
      return (await given.worker("--until-empty").ended).stderr;
    };
    expect(await stderrOf("version = '0.0.1'")).toMatch(
      /left to other workers: it is run by tulipgraph 0\.0\.1, and this is .*Start workers of that version/,
    );
    const named = (name: string) =>
      `version = '${version}', setup = '${setup?.replace('"named":"work"', `"named":"${name}"`)}'`;
    expect(await stderrOf(named("no_such_benchmark"))).toMatch(
      /left to other workers: unknown benchmark "no_such_benchmark"/,
    );
    expect(await stderrOf(named("math"))).toMatch(
      /left to other workers: the benchmark math has other tasks or tools here/,
    );
    // On a busy machine a lease can run out, and the run is made once more.
    const [, made = "0"] =
      /(\d+) runs made/.exec(await stderrOf(`version = '${version}', setup = '${setup}'`)) ?? [];
    expect(Number(made)).toBeGreaterThanOrEqual(TASKS);
    expect(await distributed.ended).toMatchObject({ code: 0 });
  }, 900_000);
});

const WORK = ["eval", "work", "--until-empty", "--queue"];

describe("a queue that cannot be used", () => {
  it("is not an address of Postgres", async () => {
    const line = errorLine(await run(...WORK, "http://127.0.0.1:1/x"));
    expect(line).toMatch(/--queue: .*is not an address of a Postgres database/);
  });

  it("cannot be reached: the message names the place and not the password", async () => {
    const line = errorLine(await run(...WORK, "postgres://me:geheim99@127.0.0.1:1/x"));
    expect(line).toContain("postgres://127.0.0.1:1/x cannot be reached");
    expect(line).not.toContain("geheim99");
  }, 120_000);
});
