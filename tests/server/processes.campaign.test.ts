import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, type Run } from "@langchain/langgraph-sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import type { GraphState } from "../../state/state.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../../server/schema.js";
import { type DataPlace, openStore } from "../../storage/database.js";
import type { ChildScript } from "../fakes/commandLine.js";
import { hasPostgres, inEachHome, newDatabase, newHome } from "../fakes/homes.js";
import { type LangGraphServer, isAlive, startServer } from "../fakes/langgraphServer.js";
import { programFile } from "../fakes/programs.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";
import { startPostgres } from "../postgresServer.js";
import { all, importInto } from "./support.js";

const CONTEXT = { ...TEST_LIBRARY, model: "fake:child", approval: "none" };

/** A place with the tests' tools, a file to write to, and servers whose models follow a script. */
async function workplace(place: DataPlace) {
  await importInto(place);
  const folder = newHome();
  const file = join(folder, "lines.txt");
  const gate = join(folder, "gate");
  const log = join(folder, "questions.jsonl");
  const writeLine = (line: string) => ({ calls: [{ name: "write_line", args: { file, line } }] });
  const act = [writeLine("one"), writeLine("two"), { stop: "Done." }];
  const start = async (changes: Partial<ChildScript>, args: string[], node: string[] = []) => {
    const script = join(folder, `${crypto.randomUUID()}.json`);
    writeFileSync(script, JSON.stringify({ subtasks: [], searches: [], act, log, ...changes }));
    const program = programFile("tests/fakes/commandLine.ts");
    const options = ["serve", "--lease-seconds", "2", ...args];
    const server = await startServer({
      command: [process.execPath, ...node, program, ...options],
      env: {
        TULIPGRAPH_HOME: place.home,
        TULIPGRAPH_DATABASE_URL: place.url,
        TULIPGRAPH_TEST_SCRIPT: script,
      },
      isOurs: true,
    });
    onTestFinished(server.stop);
    const client = new Client({ apiUrl: server.url, callerOptions: { maxRetries: 0 } });
    return { ...server, client };
  };
  return {
    serve: async (changes: Partial<ChildScript> = {}, ...args: string[]) =>
      await start(changes, args),
    /** A server whose clock is an hour ahead of the others'. */
    serveAhead: async (changes: Partial<ChildScript> = {}) =>
      await start(changes, [], ["--import", resolve("tests/fakes/fastClock.mjs")]),
    /** A model that answers the first question at once, and the others only when the gate is open. */
    held: { hold: { from: 2, gate } },
    /** Until the first line is written and its result recorded: the model is asked for what comes next. */
    untilHeld: async () => {
      await expect.poll(() => existsSync(`${gate}.waiting`), { timeout: 60_000 }).toBe(true);
    },
    openGate: () => writeFileSync(gate, ""),
    lines: () => (existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : []),
    questions: () => readFileSync(log, "utf8").split("\n").slice(0, -1).length,
  };
}

const INPUT = { request: "Write two lines" };
const RUN = { input: INPUT, context: CONTEXT };
const BOTH = ["one", "two"];

const newPostgres = async () => ({ home: newHome(), url: await newDatabase() });

async function kill(server: LangGraphServer): Promise<void> {
  server.process.kill("SIGKILL");
  await once(server.process, "exit");
}

describe.skipIf(!hasPostgres)("two servers of one database", () => {
  it("show each other's runs, with every event of their streams", async () => {
    const { serve, lines } = await workplace(await newPostgres());
    const [one, other] = [await serve(), await serve()];
    const { thread_id } = await one.client.threads.create();
    const how = { ...RUN, streamMode: ["updates", "values"] as ["updates", "values"] };
    const { run_id } = await one.client.runs.create(thread_id, "naive_tool", how);
    const streams = [one, other].map(({ client }) =>
      all(client.runs.joinStream(thread_id, run_id, { lastEventId: "-1" })),
    );
    const [here, there] = await Promise.all(streams);
    expect(there?.length).toBeGreaterThan(5);
    expect(there).toEqual(here);
    const values = await other.client.runs.join(thread_id, run_id);
    expect(values).toMatchObject({ status: "solved" });
    expect(lines()).toEqual(BOTH);
  });

  it("let an approval be given on one server that a run on the other has asked for", async () => {
    const { serve, lines } = await workplace(await newPostgres());
    const [one, other] = [await serve(), await serve()];
    const { thread_id } = await one.client.threads.create();
    const context = { ...CONTEXT, approval: "writes" };
    await one.client.runs.wait(thread_id, "naive_tool", { input: INPUT, context });
    expect(await other.client.threads.get(thread_id)).toMatchObject({ status: "interrupted" });
    expect(lines()).toEqual([]);
    const command = { resume: { decisions: [{ type: "approve" }] } };
    await kill(one);
    await other.client.runs.wait(thread_id, "naive_tool", { command, context });
    expect(lines()).toEqual(["one"]);
  });

  it("leave their runs to each other at the next checkpoint when they close", async () => {
    const { serve, held, untilHeld, openGate, lines, questions } = await workplace(
      await newPostgres(),
    );
    const one = await serve(held);
    const { thread_id } = await one.client.threads.create();
    const { run_id } = await one.client.runs.create(thread_id, "naive_tool", RUN);
    await untilHeld();
    one.process.kill("SIGTERM");
    const ended = once(one.process, "exit");
    // It has waited for the run for a while, then for the end of its stage.
    setTimeout(openGate, 7_000);
    expect(await ended).toEqual([0, null]);
    const other = await serve();
    const values = await other.client.runs.join(thread_id, run_id);
    expect(values).toMatchObject({ status: "solved" });
    expect(lines()).toEqual(BOTH);
    expect(questions()).toBe(3);
    const run = await other.client.runs.get(thread_id, run_id);
    expect(run).toMatchObject({ status: "success", attempts: 1 });
    const events = await all(
      other.client.runs.joinStream(thread_id, run_id, { lastEventId: "-1" }),
    );
    // Each of the two servers began its part of the stream with one.
    expect(events.filter(({ event }) => event === "metadata")).toHaveLength(2);
  });

  it("end within 30 s even if a stage does not, and others go on with its run", async () => {
    const { serve, held, untilHeld, lines } = await workplace(await newPostgres());
    const one = await serve(held);
    const { thread_id } = await one.client.threads.create();
    const { run_id } = await one.client.runs.create(thread_id, "naive_tool", RUN);
    await untilHeld();
    const other = await serve();
    one.process.kill("SIGTERM");
    const told = performance.now();
    await once(one.process, "exit");
    expect(performance.now() - told).toBeLessThan(32_000);
    expect(await other.client.runs.join(thread_id, run_id)).toMatchObject({ status: "solved" });
    expect(lines()).toEqual(BOTH);
  });
});

describe.skipIf(!hasPostgres)("a server that is halted longer than its lease", () => {
  it("writes nothing more of a run that another one has ended meanwhile", async () => {
    const { serve, held, untilHeld, openGate, lines } = await workplace(await newPostgres());
    const one = await serve(held);
    const { thread_id } = await one.client.threads.create();
    const { run_id } = await one.client.runs.create(thread_id, "naive_tool", RUN);
    await untilHeld();
    one.process.kill("SIGSTOP");
    const { client } = await serve();
    expect(await client.runs.join(thread_id, run_id)).toMatchObject({ status: "solved" });
    const kept = async () => [
      await client.runs.get(thread_id, run_id),
      await client.threads.get(thread_id),
      await client.threads.getHistory(thread_id, { limit: 100 }),
      await all(client.runs.joinStream(thread_id, run_id, { lastEventId: "-1" })),
    ];
    const before = await kept();
    openGate();
    one.process.kill("SIGCONT");
    await expect.poll(() => one.output(), { timeout: 60_000 }).toContain("given up");
    expect(await kept()).toEqual(before);
    expect(lines()).toEqual(BOTH);
  });

  it("goes on with its run itself if there is no other", async () => {
    const { serve, held, untilHeld, openGate, lines } = await workplace(await newPostgres());
    const { client, process: server, url } = await serve(held);
    const { thread_id } = await client.threads.create();
    const { run_id } = await client.runs.create(thread_id, "naive_tool", RUN);
    await untilHeld();
    server.kill("SIGSTOP");
    await sleep(5_000);
    server.kill("SIGCONT");
    openGate();
    // At first it may take its own halt for one of the database.
    const ask = async () => (await fetch(`${url}/threads/${thread_id}`)).status;
    await expect.poll(ask, { timeout: 10_000 }).toBe(200);
    expect(await client.runs.join(thread_id, run_id)).toMatchObject({ status: "solved" });
    expect(await client.runs.get(thread_id, run_id)).toMatchObject({ status: "success" });
    expect(lines()).toEqual(BOTH);
  });
});

inEachHome("a server of two processes", (newPlace) => {
  const serveTwo = async () => {
    const place = await newPlace();
    const { serve, held, ...work } = await workplace(place);
    const server = await serve(held, "--processes", "2");
    const data = openStore<ServerTables>({ place, store: "server", migrations: SERVER_MIGRATIONS });
    onTestFinished(() => data.close());
    const worksOn = async (runId: string) => {
      const found = data.db.selectFrom("runs").select("lease_owner").where("run_id", "=", runId);
      return Number((await found.executeTakeFirst())?.lease_owner?.split(":")[1]);
    };
    return { ...work, ...server, worksOn };
  };

  it("shows both their runs, replaces one that dies, goes on with its runs, and ends as a whole", async () => {
    const { client, process: first, worksOn, output, ...work } = await serveTwo();
    const { thread_id } = await client.threads.create();
    const { run_id } = await client.runs.create(thread_id, "naive_tool", RUN);
    await work.untilHeld();
    process.kill(await worksOn(run_id), "SIGKILL");
    work.openGate();
    // Connections to the process that died break.
    const join = async () => await client.runs.join(thread_id, run_id).catch(() => undefined);
    await expect.poll(join, { timeout: 20_000 }).toMatchObject({ status: "solved" });
    expect(work.lines()).toEqual(BOTH);
    const streams = [1, 2].map(() =>
      all(client.runs.joinStream(thread_id, run_id, { lastEventId: "-1" })),
    );
    const [here, there] = await Promise.all(streams);
    expect(here?.length).toBeGreaterThan(1);
    expect(there).toEqual(here);
    await expect.poll(output, { timeout: 60_000 }).toContain("it is replaced in");
    first.kill("SIGTERM");
    expect(await once(first, "exit")).toEqual([0, null]);
    await expect
      .poll(() =>
        work
          .seen()
          .map(({ pid }) => pid)
          .filter(isAlive),
      )
      .toEqual([]);
  });

  it("begins a run at once where it is asked for, and gives others to the one with less to do", async () => {
    const { client, worksOn, openGate } = await serveTwo();
    const runs: Run[] = [];
    // One after the other, so that a single connection carries them all.
    for (let count = 0; count < 8; count++) {
      const { thread_id } = await client.threads.create();
      runs.push(await client.runs.create(thread_id, "naive_tool", RUN));
    }
    expect(runs[0]).toMatchObject({ status: "running" });
    const pids = () => Promise.all(runs.map(({ run_id }) => worksOn(run_id)));
    const isAnyLeft = async () => (await pids()).some(Number.isNaN);
    await expect.poll(isAnyLeft, { timeout: 10_000 }).toBe(false);
    const taken = await pids();
    const counts = [...new Set(taken)].map((pid) => taken.filter((one) => one === pid).length);
    // Each has room for all of them.
    expect(counts).toHaveLength(2);
    expect(Math.max(...counts)).toBeLessThanOrEqual(6);
    openGate();
  });

  it("cancels runs whichever of them is asked", async () => {
    const { client, ...work } = await serveTwo();
    const made = [1, 2, 3].map(async () => {
      const { thread_id } = await client.threads.create();
      return await client.runs.create(thread_id, "naive_tool", RUN);
    });
    const runs = await Promise.all(made);
    await work.untilHeld();
    await Promise.all(runs.map((run) => client.runs.cancel(run.thread_id, run.run_id, true)));
    for (const { thread_id, run_id } of runs) {
      expect(await client.runs.get(thread_id, run_id)).toMatchObject({ status: "interrupted" });
    }
    work.openGate();
  });
});

describe("the processes of a server", () => {
  it("end, with the reason, when none of them can start any more, or at all", async () => {
    const home = newHome();
    const config = join(home, "serve.json");
    const program = programFile("tests/fakes/commandLine.ts");
    writeFileSync(config, "{}");
    const server = await startServer({
      command: [process.execPath, program, "serve", "--processes", "2", "--config", config],
      env: { TULIPGRAPH_HOME: home },
      isOurs: true,
    });
    onTestFinished(server.stop);
    const ended = once(server.process, "exit");
    writeFileSync(config, '{ "nonsense": 1 }');
    for (const { pid } of server.seen())
      if (pid !== server.process.pid) process.kill(pid, "SIGKILL");
    expect(await ended).toEqual([1, null]);
    expect(server.output().match(/unknown field "nonsense"/g)?.length).toBeLessThanOrEqual(10);
    expect(server.output()).toContain("before it could serve");
    const again = spawn(
      process.execPath,
      [program, "serve", "--processes", "2", "--config", config],
      {
        env: { ...process.env, TULIPGRAPH_HOME: home },
        stdio: "ignore",
      },
    );
    expect(await once(again, "exit")).toEqual([2, null]);
  });
});

inEachHome("a server that is started again", (newPlace) => {
  it("goes on with a run whose server was killed, without repeating anything", async () => {
    const { serve, held, untilHeld, lines, questions } = await workplace(await newPlace());
    const one = await serve(held);
    const { thread_id } = await one.client.threads.create();
    const { run_id } = await one.client.runs.create(thread_id, "naive_tool", RUN);
    await untilHeld();
    await kill(one);
    const other = await serve();
    const values = await other.client.runs.join(thread_id, run_id);
    expect(values).toMatchObject({ status: "solved" });
    expect(lines()).toEqual(BOTH);
    expect(questions()).toBe(3);
    const run = await other.client.runs.get(thread_id, run_id);
    expect(run).toMatchObject({ status: "success", attempts: 2 });
  });

  it("goes on with the runs that were worked on, and with those that waited", async () => {
    const { serve, held } = await workplace(await newPlace());
    const before = await serve(held, "--concurrency", "2");
    const made = [];
    for (let count = 0; count < 4; count++) {
      const { thread_id } = await before.client.threads.create();
      made.push(await before.client.runs.create(thread_id, "naive_tool", RUN));
    }
    await kill(before);
    const { client } = await serve();
    for (const { thread_id, run_id } of made) {
      expect(await client.runs.join(thread_id, run_id)).toMatchObject({ status: "solved" });
    }
  });
});

describe.skipIf(!hasPostgres)("servers whose clocks differ by an hour", () => {
  it("leave each other's runs alone, and go by the database's clock to take over those of dead servers", async () => {
    const { serve, serveAhead, held, untilHeld, openGate, lines } = await workplace(
      await newPostgres(),
    );
    // It is busy with one run; any server may take the one that waits.
    const behind = await serve(held, "--concurrency", "1");
    const { thread_id } = await behind.client.threads.create();
    const { run_id } = await behind.client.runs.create(thread_id, "naive_tool", RUN);
    await untilHeld();
    // The server that is ahead sees the run taken, and finds none whose lease has run out.
    const ahead = await serveAhead();
    const other = await ahead.client.threads.create();
    const own = { ...RUN, context: { ...CONTEXT, approval: "writes" } };
    await ahead.client.runs.wait(other.thread_id, "naive_tool", own);
    openGate();
    expect(await ahead.client.runs.join(thread_id, run_id)).toMatchObject({ status: "solved" });
    expect(await behind.client.runs.get(thread_id, run_id)).toMatchObject({ attempts: 1 });
    expect(lines()).toEqual(BOTH);
  });
});

describe.skipIf(!hasPostgres)("a server whose database goes away", () => {
  it("says so, and goes on with its runs when it is back", async () => {
    const postgres = await startPostgres();
    if (postgres === undefined) throw new Error("Postgres is not installed");
    onTestFinished(postgres.stop);
    const { serve, held, untilHeld, openGate, lines } = await workplace({
      home: newHome(),
      url: postgres.url,
    });
    const { client, url } = await serve(held);
    const { thread_id } = await client.threads.create();
    const { run_id } = await client.runs.create(thread_id, "naive_tool", RUN);
    await untilHeld();
    postgres.process.kill("SIGQUIT");
    await once(postgres.process, "exit");
    const ask = () => fetch(`${url}/threads/${thread_id}`);
    await expect.poll(async () => (await ask()).status, { timeout: 60_000 }).toBe(503);
    const refused = await ask();
    expect(refused.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(await refused.json()).toMatchObject({
      message: expect.stringMatching(/database.*away/),
    });
    expect((await fetch(`${url}/ok`)).status).toBe(200);
    expect((await fetch(`${url}/ok?check_db=1`)).status).toBe(503);
    openGate();
    await postgres.restart();
    await expect.poll(async () => (await ask()).status, { timeout: 60_000 }).toBe(200);
    const values = (await client.runs.join(thread_id, run_id)) as unknown as GraphState;
    expect(values).toMatchObject({ status: "solved" });
    expect(lines()).toEqual(BOTH);
  });
});
