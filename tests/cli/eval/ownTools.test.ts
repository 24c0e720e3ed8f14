import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Summary } from "../../../eval/summary/summarizeRuns.js";
import { readResults } from "../../../eval/runs/experimentFolder.js";
import { closeWorkspaces } from "../../../home/workspace.js";
import { hasPostgres, newDatabase } from "../../fakes/homes.js";
import { type Reply, scriptedModel } from "../../fakes/scriptedModel.js";
import { errorLine, linesOf, run, runJson, temporaryFolder } from "../support.js";

const SHOP = `import { appendFileSync } from "node:fs";
/** The price of an article.
 * @effects read */
export function price(article: string): number { return article.length * 10; }
/** Orders an article.
 * @approval */
export function order(article: string): string {
  appendFileSync(new URL("orders.txt", import.meta.url), article + "\\n");
  return "ordered " + article;
}
`;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
});
afterAll(closeWorkspaces);

async function shop(text = SHOP): Promise<void> {
  const file = join(folder, "shop.ts");
  writeFileSync(file, text);
  await run("tools", "import", file);
}

function tasksFile(...lines: unknown[]): string {
  const file = join(folder, "tasks.jsonl");
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

const orders = () => linesOf(join(folder, "orders.txt"));

/** Replies of `act` that order a chair, and end. */
const ORDERING: Reply[] = [
  { calls: [{ name: "order", args: { article: "chair" } }] },
  { stop: "A chair is ordered." },
];

function evaluating(tasks: string, replies: Reply[], ...more: string[]): string[] {
  const model = scriptedModel(replies).spec;
  const subject = ["eval", "run", "--library", "shop", "--tasks", tasks, "--out", outFolder()];
  return [...subject, "--models", model, "--graphs", "minimal_tulip", ...more];
}

function outFolder(): string {
  return join(folder, "out");
}

const READING = {
  query: "What is the price of a chair?",
  answer: 50,
  calls: [{ tool: "price", args: { article: "chair" } }],
};
const WRITING = { id: "order", query: "Order a chair, an article of the shop", tools: ["order"] };

describe("eval run over your own tools", () => {
  it.each([
    [{ query: "Order a chair", answer: "x", mustnot: "write" }, 'did you mean "must_not"?'],
    [{ query: "Order a chair", calls: [], Answer: 5 }, 'did you mean "answer"?'],
    [{ query: "Order a chair", calls: [], expected_output: 5 }, 'did you mean "answer"?'],
    [{ query: "Price?", calls: [{ tool: "price", arguments: {} }] }, 'did you mean "args"?'],
    [{ question: "Price?", answer: 5 }, 'did you mean "query"?'],
    [{ input: "Price?", expected: 5 }, 'did you mean "query"?'],
    [{ query: "Price?", reference: 5 }, 'did you mean "answer"?'],
    [{ query: "Price?", expected_tools: ["price"] }, 'did you mean "tools"?'],
    [{ query: "Price?", calls: [{ name: "price", args: {} }] }, 'did you mean "tool"?'],
    [{ query: "Price?", calls: { tool: "price", args: {} } }, '"calls"'],
    [{ query: "Price?", calls: [{ tool: "price", args: { artcle: "a" } }] }, 'not take "artcle"'],
    [{ query: "Price?", calls: [{ tool: "price", args: ["a"] }] }, '"args" is not an object'],
    [{ query: "Price?", must_not: [] }, '"must_not": is empty'],
    [{ query: "Price?", answer: " " }, '"answer"'],
    [{ query: "Price?", answer: [] }, '"answer"'],
  ])(
    "refuses a task that would not be judged as meant, before anything runs: %j",
    async (task, said) => {
      await shop();
      const line = errorLine(await run(...evaluating(tasksFile(READING, task), ORDERING, "--yes")));
      expect(line).toContain("tasks.jsonl:2: ");
      expect(line).toContain(said);
      expect(orders()).toEqual([]);
    },
  );

  it.each([
    [["--library", "shop"], "--library needs --tasks"],
    [["--tasks", "tasks.jsonl"], "--tasks needs the --library"],
    [["--benchmark", "math", "--tasks", "tasks.jsonl"], "--benchmark does not go with"],
    [[], "nothing to evaluate is named"],
  ])("says what is missing beside %j", async (given, said) => {
    const out = ["--out", outFolder()];
    expect(errorLine(await run("eval", "run", ...given, ...out))).toContain(`eval run: ${said}`);
  });

  it("does not judge calls as needless if the tasks do not say which are needed", async () => {
    await shop();
    const replies: Reply[] = [
      { calls: [{ name: "price", args: { article: "chair" } }] },
      { stop: "It costs 50." },
    ];
    const task = { query: READING.query, answer: 50 };
    const { json } = await runJson(...evaluating(tasksFile(task), replies, "--yes"));
    expect(JSON.stringify((json as Summary).rows)).not.toContain("irrelevance");
    expect((json as Summary).facts).toContainEqual(["Functions", "library shop, called for real"]);
  });

  it("calls them for real and judges answers and calls", async () => {
    await shop(SHOP.slice(0, SHOP.indexOf("/** Orders")));
    const replies: Reply[] = [
      { calls: [{ name: "price", args: { article: "chair" } }] },
      { stop: "It costs 50." },
    ];
    const args = JSON.stringify(READING.calls[0]?.args);
    const asText = { ...READING, id: 7, tools: "price", calls: [{ tool: "price", args }] };
    const { code, json } = await runJson(...evaluating(tasksFile(asText), replies));
    expect(code).toBe(0);
    const { records, experiment } = readResults(outFolder());
    expect(records).toMatchObject([{ task: "7", status: "solved", calls: [{ result: 50 }] }]);
    expect(experiment.definition).not.toHaveProperty("catalog");
    expect(JSON.stringify(json)).toContain("answerNumeric");
  });

  it("requires --yes if a tool may change something, before anything runs", async () => {
    await shop();
    const line = errorLine(await run(...evaluating(tasksFile(WRITING), ORDERING)));
    expect(line).toContain("1 may change something (order)");
    expect(orders()).toEqual([]);
  });

  it("makes the writes after consent, without asking again, and says so", async () => {
    await shop();
    const { code, stderr } = await run(...evaluating(tasksFile(WRITING), ORDERING, "--yes"));
    expect(stderr).toContain("2 tools of library shop are called for real in 1 run");
    expect(orders()).toEqual(["chair"]);
    expect(code).toBe(0);
    expect(readResults(outFolder()).records).toMatchObject([{ status: "solved" }]);
  });

  it.skipIf(!hasPostgres)("takes them from the database, as another home left them", async () => {
    vi.stubEnv("TULIPGRAPH_DATABASE_URL", await newDatabase());
    await shop();
    await closeWorkspaces();
    vi.stubEnv("TULIPGRAPH_HOME", join(folder, "another home"));
    const { code } = await run(...evaluating(tasksFile(WRITING), ORDERING, "--yes"));
    expect({ code, orders: orders() }).toEqual({ code: 0, orders: ["chair"] });
    await closeWorkspaces();
    vi.stubEnv("TULIPGRAPH_DATABASE_URL", "");
  });

  it("leaves the user's own data alone: threads and calls stay with the experiment", async () => {
    await shop();
    await run(...evaluating(tasksFile(WRITING), ORDERING, "--yes"));
    const { json } = await runJson("threads");
    expect(json).toEqual([]);
  });

  it.each([
    [[{ query: "Price?", tools: ["cost"] }], 'the tool "cost" is not in library shop'],
    [[{ query: "Price?" }], "has nothing that counts as solved"],
    [[{ answer: 3 }], 'has no "query"'],
    [[], "has no tasks"],
  ])("refuses tasks that cannot be judged: %j", async (lines, said) => {
    await shop();
    const tasks = tasksFile(...lines);
    expect(errorLine(await run(...evaluating(tasks, ORDERING, "--yes")))).toContain(said);
  });

  it("refuses a file that does not exist as one of tasks", async () => {
    await shop();
    const line = errorLine(await run(...evaluating("none.jsonl", ORDERING, "--yes")));
    expect(line).toBe("error: tasks none.jsonl: the file does not exist. Check the path");
  });

  it("is not for a library that ships, whose tools may act on a simulated world", async () => {
    const argv = ["eval", "run", "--library", "work", "--tasks", tasksFile(READING), "--out", "x"];
    expect(errorLine(await run(...argv))).toContain("--benchmark work");
  });

  it.each([[["--library", "shop"]], [["--benchmark", "math", "--tasks", "x"]], [[]]])(
    "wants a benchmark, or a library with tasks: %j",
    async (given) => {
      expect(errorLine(await run("eval", "run", ...given, "--out", "x"))).toContain(
        "--library NAME",
      );
    },
  );
});
