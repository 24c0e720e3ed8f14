import type { ChatLine } from "../../../eval/replay/chatLines.js";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ReplayRow } from "../../../eval/replay/replayReport.js";
import type { ComparedRun } from "../../../eval/replay/compareRuns.js";
import { closeWorkspaces } from "../../../home/workspace.js";
import { hasPostgres, newDatabase } from "../../fakes/homes.js";
import { type Reply, scriptedModel } from "../../fakes/scriptedModel.js";
import { serveHere } from "../../server/support.js";
import { errorLine, linesOf, run, runJson, temporaryFolder } from "../support.js";

const SHOP = `import { appendFileSync } from "node:fs";
const log = (line: string) => appendFileSync(new URL("log.txt", import.meta.url), line + "\\n");
/** The price of an article.
 * @effects read */
export function price(article: string): number { log("price " + article); return article.length * 10; }
/** Orders an article.
 * @param article The article.
 */
export function order(article: string, pieces = 1): string { log("order " + article); return "ordered " + article; }
`;

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
  await closeWorkspaces();
  await shop(SHOP);
});
afterEach(() => vi.unstubAllEnvs());
afterAll(closeWorkspaces);

async function shop(text: string): Promise<void> {
  const file = join(folder, "shop.ts");
  writeFileSync(file, text);
  await run("tools", "import", file);
}

const log = () => linesOf(join(folder, "log.txt"));
const runs = () => join(folder, "runs.jsonl");

const PRICE = 'const costs = await price({ article: "chair" });';
const ORDER = 'await order({ article: "chair" });';
const ANSWER = "return `A chair for ${costs} is ordered.`;";
const BUYING = [PRICE, ORDER, ANSWER];

function writing(lines: string[]): string {
  return scriptedModel([{ text: ["```ts", ...lines, "```"].join("\n") }]).spec;
}

/** A run on a thread of its own. */
async function solve(thread: string, lines = BUYING, ...more: string[]) {
  const request = "Order a chair, and say what it costs";
  const options = ["--library", "shop", "--model", writing(lines), "--thread", thread];
  return await run("solve", request, ...options, ...more);
}

async function exported(...more: string[]) {
  return await run("eval", "from-threads", "--library", "shop", "--out", runs(), ...more);
}

let replays = 0;

/** The replay of the exported runs. */
async function replay(...more: string[]) {
  const out = join(folder, `replay-${(replays += 1)}`);
  const printed = await runJson(
    "eval",
    "run",
    "--replay",
    "--tasks",
    runs(),
    "--out",
    out,
    ...more,
  );
  const { rows, runs: compared } = printed.json as { rows: ReplayRow[]; runs: ComparedRun[] };
  return { ...printed, out, rows, compared };
}

const verdicts = (compared: ComparedRun[]) => compared.map(({ verdict }) => verdict);

describe("a replay of recorded runs", () => {
  it("makes them again with the same calls and answers, and calls no tool", async () => {
    await solve("one");
    await exported();
    const before = log();
    expect(before).toEqual(["price chair", "order chair"]);
    const { code, compared, rows } = await replay();
    expect({ code, verdicts: verdicts(compared) }).toEqual({ code: 0, verdicts: ["same"] });
    expect(rows).toMatchObject([{ graph: "tulip", answered: 2, unrecorded: 0, live: 0 }]);
    expect(compared[0]?.now.answer).toBe("A chair for 50 is ordered.");
    expect(log()).toEqual(before);
  });

  it("needs neither the library nor its functions, only the file", async () => {
    await solve("one");
    await exported();
    vi.stubEnv("TULIPGRAPH_HOME", join(folder, "elsewhere"));
    await closeWorkspaces();
    expect(verdicts((await replay()).compared)).toEqual(["same"]);
  });

  it("shows side by side what another model would have written", async () => {
    await solve("one");
    await exported();
    const ORDERING_TWO = [PRICE, 'await order({ article: "chair", pieces: 2 });', ANSWER];
    const { code, compared, out } = await replay("--models", writing(ORDERING_TWO));
    expect({ code, verdicts: verdicts(compared) }).toEqual({ code: 1, verdicts: ["otherWrites"] });
    expect(compared[0]).toMatchObject({
      unrecorded: 1,
      missing: [{ tool: "order", args: { article: "chair" }, writes: true }],
      further: [{ tool: "order", args: { article: "chair", pieces: 2 }, writes: true }],
    });
    expect(log()).toHaveLength(2);
    const { stdout } = await run("eval", "report", out);
    const [then, now] = ['article="chair"', 'article="chair", pieces=2'];
    expect(stdout).toContain(`| writes order(${then}) `);
    expect(stdout).toContain(`| writes order(${now}) · never recorded `);
    expect(linesOf(join(out, "report.md")).join("\n")).toContain(
      "would have written something else",
    );
  });

  it("tells the same answer by other calls from another answer", async () => {
    const asking = (more: string[]) => [PRICE, ...more, "return `It costs ${costs}.`;"];
    await solve("one", asking([PRICE.replaceAll("costs", "again")]));
    await exported();
    const fewer = await replay("--models", writing(asking([])));
    expect(verdicts(fewer.compared)).toEqual(["otherCalls"]);
    const wrong = await replay("--models", writing([PRICE, "return `It costs ${costs + 1}.`;"]));
    expect(verdicts(wrong.compared)).toEqual(["different"]);
  });

  it("makes reads that were never recorded for real if it is told to, and never a write", async () => {
    await solve("one");
    await exported();
    const other = [
      'const costs = await price({ article: "sofa" });',
      'await order({ article: "sofa" });',
      ANSWER,
    ];
    const options = ["--models", writing(other), "--library", "shop", "--live", "reads"];
    const { rows } = await replay(...options);
    expect(rows).toMatchObject([{ live: 1, unrecorded: 1 }]);
    expect(log()).toEqual(["price chair", "order chair", "price sofa"]);
  });

  it("with the library as it is now shows which runs a changed tool concerns", async () => {
    await solve("one");
    await solve("two", [PRICE, "return `It costs ${costs}.`;"]);
    await exported();
    await shop(
      SHOP.replaceAll("order(article", "order(item").replace("@param article", "@param item"),
    );
    const { compared } = await replay("--library", "shop");
    expect(verdicts(compared)).toEqual(["otherWrites", "same"]);
    expect(log()).toHaveLength(3);
  });

  it("takes a parameter with another name as the same, if the model uses the new one", async () => {
    await solve("one");
    await exported();
    await shop(SHOP.replaceAll("article", "item"));
    const renamed = BUYING.map((line) => line.replaceAll("article", "item"));
    const options = ["--library", "shop", "--models", writing(renamed)];
    const { compared, out } = await replay(...options);
    expect(verdicts(compared)).toEqual(["same"]);
    const { stdout } = await run("eval", "report", out);
    expect(stdout).toContain("order: article → item");
    expect(log()).toHaveLength(2);
  });

  it("answers a read after a write as it was answered then", async () => {
    await shop(
      SHOP.replace(
        "return article.length * 10;",
        "return Number(process.hrtime.bigint() % 1000000007n);",
      ),
    );
    const again = [
      PRICE,
      ORDER,
      PRICE.replace("costs", "later"),
      "return `${costs}, then ${later}`;",
    ];
    await solve("one", again);
    await exported();
    expect(verdicts((await replay()).compared)).toEqual(["same"]);
  });

  it("replays follow-ups after the requests and answers before them", async () => {
    await solve("talk", [PRICE, "return `It costs ${costs}.`;"]);
    await run(
      "solve",
      "Then order it",
      "--thread",
      "talk",
      "--library",
      "shop",
      "--model",
      writing([ORDER, "return `It is ordered.`;"]),
    );
    await exported();
    const model = scriptedModel([
      { text: `\`\`\`ts\n${[ORDER, "return `It is ordered.`;"].join("\n")}\n\`\`\`` },
    ]);
    const { compared } = await replay("--task", "talk 2", "--models", model.spec);
    expect(verdicts(compared)).toEqual(["same"]);
    expect(JSON.stringify(model.questions[0]?.messages)).toContain("It costs 50.");
  });
});

describe.each(["SQLite", "Postgres"])("runs of a server with %s", (kind) => {
  it.runIf(kind === "SQLite" || hasPostgres)(
    "are replayed unchanged, in another graph, with a renamed parameter, and without a tool",
    async () => {
      const url = kind === "Postgres" ? await newDatabase() : undefined;
      vi.stubEnv("TULIPGRAPH_DATABASE_URL", url ?? "");
      await shop(SHOP);
      await serveRuns(url);
      const { stdout } = await exported();
      expect(stdout).toMatch(/^library shop: 2 runs with 4 calls in /);
      const unchanged = await replay();
      expect(verdicts(unchanged.compared)).toEqual(["same", "same"]);
      expect(unchanged.rows).toMatchObject([{ graph: "tulip", answered: 4, unrecorded: 0 }]);

      const calling = ["--graphs", "minimal_tulip", "--set", "threshold=0", "--models", buyer()];
      const { compared, rows } = await replay(...calling);
      expect(verdicts(compared)).toEqual(["same", "same"]);
      expect(rows).toMatchObject([{ graph: "minimal_tulip", answered: 4 }]);

      await shop(SHOP.replaceAll("article", "item"));
      const renamed = writing(BUYING.map((line) => line.replaceAll("article", "item")));
      const now = ["--library", "shop"];
      expect(verdicts((await replay(...now, "--models", renamed)).compared)).toEqual([
        "same",
        "same",
      ]);

      await shop(SHOP.slice(0, SHOP.indexOf("/** Orders")));
      const without = await replay(...now);
      expect(verdicts(without.compared)).toEqual(["otherWrites", "otherWrites"]);
      expect(without.compared[0]?.missing.at(-1)).toMatchObject({ tool: "order", writes: true });
      expect(log().filter((line) => line.startsWith("order"))).toHaveLength(2);
    },
    60_000,
  );
});

/** Two threads: a run, and one whose order a person has approved. */
async function serveRuns(url?: string): Promise<void> {
  const { client, close } = await serveHere({ home: join(folder, "home"), url });
  const input = { request: "Order a chair, and say what it costs" };
  for (const approval of ["none", "plan"]) {
    const { thread_id } = await client.threads.create();
    const context = { library: "shop", model: writing(BUYING), approval };
    await client.runs.wait(thread_id, "tulip", { input, context });
    if (approval === "none") continue;
    const command = { resume: { decisions: [{ type: "approve" }] } };
    await client.runs.wait(thread_id, "tulip", { command, context });
  }
  await close();
  await closeWorkspaces();
}

/** A model that makes the calls one after another. */
function buyer(): string {
  const calls = [
    { name: "price", args: { article: "chair" } },
    { name: "order", args: { article: "chair" } },
  ];
  return scriptedModel(({ messages }) => {
    const call = calls[messages.filter(({ type }) => type === "tool").length];
    return call ? { calls: [call] } : { stop: "A chair for 50 is ordered." };
  }).spec;
}

describe("decisions of a person", () => {
  const PLAN = ["--set", "approval=plan"];

  it("are made again: what was approved is answered", async () => {
    await solve("one", BUYING, ...PLAN);
    await run("resume", "one", "--approve");
    await exported();
    expect(verdicts((await replay()).compared)).toEqual(["same"]);
    expect(log().filter((line) => line.startsWith("order"))).toHaveLength(1);
  });

  it("are made again: what was rejected stays unwritten", async () => {
    await solve("one", BUYING, ...PLAN);
    await run("resume", "one", "--reject");
    await exported();
    const { compared } = await replay();
    expect(compared).toMatchObject([{ verdict: "same", now: { status: "unsolved" } }]);
  });
});

describe("eval from-threads", () => {
  it("exports solved runs alone, or those since a day", async () => {
    await solve("one");
    await solve("two", [PRICE, "throw new Error(`No`);"]);
    expect((await exported("--solved")).stdout).toMatch(/^library shop: 1 run with 2 calls in /);
    expect(errorLine(await exported("--since", "2100-01-01"))).toMatch(
      /no run has ended .*since 2100/,
    );
  });

  it("exports conversations to train on: the request, its calls with results, the answer, and tools", async () => {
    await solve("one");
    await solve("two");
    await solve("failed", [PRICE, "throw new Error(`No`);"]);
    const argv = ["--solved", "--as", "chat", "--others", "1"];
    const lines = async (seed: string) => {
      expect((await exported(...argv, "--seed", seed)).code).toBe(0);
      return linesOf(runs()).map((line) => JSON.parse(line) as ChatLine);
    };
    // Two runs that asked and did the same count once.
    const [line, ...more] = await lines("1");
    expect(more).toEqual([]);
    const { messages = [], tools = [] } = line ?? {};
    const roles = messages.map(({ role }) => role);
    expect([roles[0], roles[1], roles.at(-1)]).toEqual(["system", "user", "assistant"]);
    for (const { tool_calls: [call] = [] } of messages.filter(({ tool_calls }) => tool_calls)) {
      const answer = messages.find(({ tool_call_id }) => tool_call_id === call?.id);
      expect(JSON.parse(call?.function.arguments ?? "")).toBeTypeOf("object");
      expect(answer).toMatchObject({ role: "tool", content: expect.any(String) as string });
      expect(tools.map((tool) => tool.function.name)).toContain(call?.function.name);
    }
    expect(
      tools.every(({ type, function: { parameters } }) => type === "function" && parameters),
    ).toBe(true);
    expect(await lines("1")).toEqual([line]);
    const masked = await exported(...argv, "--mask", "chair");
    expect(masked.stdout).toMatch(/^1 conversation in .*: \d with one call, \d with several/);
    expect(linesOf(runs()).join()).not.toContain("chair");
  });

  it("masks values by the same word everywhere, and keys always", async () => {
    const key = `sk-${"a1".repeat(12)}`;
    const request = `What does a chair cost? My key is ${key}`;
    const model = writing([PRICE, "return `A chair costs ${costs}.`;"]);
    await run("solve", request, "--library", "shop", "--model", model);
    await exported("--mask", "cost", "--mask", String.raw`/\bch\w+/`);
    const [, line = ""] = linesOf(runs());
    expect(JSON.parse(line)).toMatchObject({
      query: "What does a masked-1 masked-2? My key is ***",
      recording: {
        calls: [{ tool: "price", args: { article: "masked-1" }, result: 50 }],
        answer: "A masked-1 masked-2s 50.",
      },
    });
  });

  it("masks names of threads and keys of results, and no names of parameters", async () => {
    await shop(
      SHOP.replace("string): number {", "string) {").replace(
        "article.length * 10",
        "({ [article]: { article: 50 } })",
      ),
    );
    await solve("the chair", [PRICE, "return `${costs.chair.article}`;"]);
    await exported("--mask", "chair", "--mask", "article");
    expect(JSON.parse(linesOf(runs())[1] ?? "")).toMatchObject({
      id: "the masked-1",
      recording: {
        thread: "the masked-1",
        calls: [{ args: { article: "masked-1" }, result: { "masked-1": { "masked-2": 50 } } }],
      },
    });
  });

  it("with threads of several libraries asks for one", async () => {
    await solve("one");
    const answer: Reply[] = [{ stop: "Nothing to do." }];
    await run(
      "solve",
      "Hello",
      "--library",
      "math",
      "--graph",
      "base",
      "--model",
      scriptedModel(answer).spec,
    );
    const line = errorLine(await run("eval", "from-threads", "--out", runs()));
    expect(line).toMatch(/several libraries \(.*shop.*\).*--library/);
  });
});

it.each([
  [
    "a live replay without a library",
    ["--replay", "--tasks", "runs.jsonl", "--live", "reads"],
    /--library/,
  ],
  ["no recordings", ["--replay"], /no recorded runs are named/],
  ["a benchmark", ["--replay", "--benchmark", "math"], /--benchmark has no recorded runs/],
  ["a missing file", ["--replay", "--tasks", "nowhere.jsonl"], /nowhere\.jsonl/],
])("a replay with %s fails in one line", async (_what, options, problem) => {
  expect(errorLine(await run("eval", "run", ...options, "--out", join(folder, "out")))).toMatch(
    problem,
  );
});
