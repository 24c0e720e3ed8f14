import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../eval/runs/runRecord.js";
import type { Summary } from "../../eval/summary/summary.js";
import { hasPostgres, newDatabase } from "../fakes/homes.js";
import type { Reply } from "../fakes/scriptedModel.js";
import { benchmarkFolder, officeFolder } from "./evalSupport.js";
import {
  errorLine,
  linesOf,
  run,
  runJson,
  scriptIn,
  startChild,
  temporaryFolder,
} from "./support.js";

const TASKS = 6;

/** Two writes, one after the other: what a killed worker has done by then must count once. */
const ACT: Reply[] = [
  { calls: [{ name: "calendar_delete_event", args: { event_id: "00000001" } }] },
  { calls: [{ name: "email_delete_email", args: { email_id: "00000001" } }] },
  { stop: "Done." },
];

const SCRIPT = { subtasks: [], searches: [], act: ACT, delayMs: 30 };

/** An evaluation of the office, a queue for it, and what is started for both. */
async function evaluation(script: Parameters<typeof scriptIn>[1] = SCRIPT) {
  const folder = temporaryFolder();
  const url = await newDatabase();
  const env = scriptIn(folder, script);
  const benchmark = officeFolder(TASKS);
  const options = ["--graphs", "naive_tool", "--embeddings", "words:hashed", "--models", "fake:child"];
  const begin = ["eval", "run", "--benchmark", benchmark, ...options];
  return {
    folder,
    url,
    benchmark,
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

function recordsIn(out: string): RunRecord[] {
  return linesOf(join(out, "runs.jsonl")).map((line) => JSON.parse(line) as RunRecord);
}

/** The lines as they were written, in the order of the plan, without what differs from one start to another. */
function timeless(records: readonly RunRecord[]): string[] {
  const texts = records.map(({ startedAt: _s, endedAt: _e, wallMs: _w, threadId: _t, ...record }) =>
    JSON.stringify(record, (key, value: unknown) =>
      key === "ms" ? 0 : key === "id" && /^call/.test(String(value)) ? "id" : value,
    ),
  );
  return texts.toSorted();
}

async function tableOf(out: string) {
  const { json } = await runJson("eval", "report", out);
  const { rows, tests, missing } = json as Summary;
  const timed = new Set(["wallMs", "workMs"]);
  return {
    missing,
    tests,
    rows: rows.map(({ aggregates, ...row }) => ({
      ...row,
      aggregates: Object.fromEntries(Object.entries(aggregates).filter(([id]) => !timed.has(id))),
    })),
  };
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

/** Waits until a query of the queue, which may not have its tables yet, gives a row. */
async function row(url: string, text: string): Promise<void> {
  while ((await query(url, text).catch(() => [])).length === 0) await pause(50);
}

const SESSIONS = "SELECT * FROM tulipgraph_evaluations.sessions";

describe.skipIf(!hasPostgres)("an evaluation over several machines", () => {
  it("leaves the same lines and the same table as one on this machine, and nothing in the queue", async () => {
    const office = await evaluation();
    expect(await office.local("calm").ended).toMatchObject({ code: 0 });
    const distributed = office.distributed("queue");
    await row(office.url, SESSIONS);
    const workers = [office.worker("--until-empty"), office.worker("--until-empty")];
    expect(await distributed.ended).toEqual({ code: 0, stdout: expect.anything(), stderr: expect.anything() });
    const ended = await Promise.all(workers.map((worker) => worker.ended));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(timeless(office.records("queue"))).toEqual(timeless(office.records("calm")));
    expect(await office.table("queue")).toEqual(await office.table("calm"));
    expect(await query(office.url, SESSIONS)).toEqual([]);
    expect(await query(office.url, "SELECT * FROM tulipgraph_evaluations.reports")).toEqual([]);
  }, 900_000);
});
