/**
 * What happens to a run if replies of its model are faulty. In each run one reply, or that one and all later ones of its
 * stage, are replaced by one of 73 kinds of faults (tests/campaigns/faultyReplies/faults.ts).
 *
 *   npx tsx tests/campaigns/faultyReplies.ts --graphs tulip,cot_tulip --scenarios sum --kinds 0-9 --list
 *
 * Runs are made one after another in a process that is killed if a run takes longer than --seconds. A false "solved" is
 * a run that claims success although its answer lacks what the tools found.
 */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Outcome, RunRequest } from "./faultyReplies/run.js";
import { KINDS } from "./faultyReplies/faults.js";
import { inTemporaryFolder } from "../../eval/files.js";
import { optionsOf, write, writeHead, writeRow } from "./scriptSupport.js";

const values = optionsOf({
  graphs: "cot_tulip,minimal_tulip,dfsdt,dfs_tulip,iit_main",
  scenarios: "sum,tickets",
  kinds: "",
  seconds: 30,
  list: false,
});

/** The outcome of a run. */
type Verdict = "right" | "false solved" | "not solved" | "error thrown" | "no end";

const COLUMNS: Verdict[] = ["right", "not solved", "false solved", "error thrown", "no end"];

/** Graphs that close tickets; the others only plan, or have tasks that the script does not know. */
const ACTING = ["cot_tulip", "minimal_tulip", "dfsdt"];

await inTemporaryFolder("faults", main);

async function main(home: string): Promise<void> {
  const requests = requestsOf();
  const worker = oneAtATime(home, values.seconds * 1_000);
  const counts = new Map<string, Map<Verdict | "wrong writes", number>>();
  for (const request of requests) {
    const outcome = await worker.run(request);
    const verdict = verdictOn(outcome);
    const key = `${request.graph} · ${request.scenario} · ${request.times}`;
    const row = counts.get(key) ?? new Map<Verdict | "wrong writes", number>();
    row.set(verdict, (row.get(verdict) ?? 0) + 1);
    row.set("wrong writes", (row.get("wrong writes") ?? 0) + (outcome?.wrongWrites ?? 0));
    counts.set(key, row);
    if (values.list && verdict !== "right" && verdict !== "not solved") {
      write(`${verdict}: ${key} · ${request.kind}: ${outcome?.said ?? ""}`);
    }
  }
  worker.end();
  printTable(counts, requests.length);
}

function requestsOf(): RunRequest[] {
  const [from = 0, to = Infinity] = values.kinds.split("-").filter(Boolean).map(Number);
  const kinds = Object.keys(KINDS).filter((_, at) => at >= from && at <= to);
  return values.scenarios.split(",").flatMap((scenario) =>
    values.graphs
      .split(",")
      .filter((graph) => scenario !== "tickets" || ACTING.includes(graph))
      .flatMap((graph) =>
        kinds.flatMap((kind, at) =>
          timesOf(scenario).map((times) => ({ scenario, graph, kind, times, at })),
        ),
      ),
  );
}

/** The wrong writes of a model that is always wrong are its own fault. */
function timesOf(scenario: string): RunRequest["times"][] {
  return scenario === "tickets" ? ["once"] : ["once", "always"];
}

function verdictOn(outcome: Outcome | undefined): Verdict {
  if (!outcome) return "no end";
  if (outcome.thrown) return "error thrown";
  const claims = outcome.status === "solved" || outcome.status === "planned";
  if (!claims) return "not solved";
  return outcome.right ? "right" : "false solved";
}

/** Makes runs in a process, which is replaced after a run without an end. */
function oneAtATime(home: string, limitMs: number) {
  let child: ChildProcess | undefined;
  const started = () => {
    child ??= fork(fileURLToPath(new URL("./faultyReplies/run.ts", import.meta.url)), {
      execArgv: ["--import", "tsx"],
      env: { ...process.env, TULIPGRAPH_HOME: home },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    return child;
  };
  return {
    run: (request: RunRequest) =>
      new Promise<Outcome | undefined>((resolve) => {
        const own = started();
        const settle = (outcome: Outcome | undefined) => {
          clearTimeout(timer);
          own.off("message", settle);
          own.off("exit", ended);
          resolve(outcome);
        };
        const ended = () => {
          child = undefined;
          settle({ thrown: true, said: "the process has ended" });
        };
        const timer = setTimeout(() => {
          own.off("exit", ended);
          own.kill("SIGKILL");
          child = undefined;
          settle(undefined);
        }, limitMs);
        own.on("message", settle);
        own.on("exit", ended);
        own.send(request);
      }),
    end: () => child?.kill(),
  };
}

function printTable(
  counts: ReadonlyMap<string, ReadonlyMap<Verdict | "wrong writes", number>>,
  runs: number,
): void {
  const columns = [...COLUMNS, "wrong writes" as const];
  write(`${runs} runs, ${Object.keys(KINDS).length} kinds of faults\n`);
  writeHead(["graph · request · fault", ...columns]);
  const sums = new Map<string, number>();
  for (const [key, row] of counts) {
    const cells = columns.map((column) => row.get(column) ?? 0);
    columns.forEach((column, at) => sums.set(column, (sums.get(column) ?? 0) + (cells[at] ?? 0)));
    writeRow([key, ...cells]);
  }
  writeRow(["all", ...columns.map((column) => sums.get(column) ?? 0)]);
}
