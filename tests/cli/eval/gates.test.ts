import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { readResults } from "../../../eval/runs/experimentFolder.js";
import { type Reply, scriptedModel } from "../../fakes/scriptedModel.js";
import { errorLine, linesOf, run, runJson, temporaryFolder } from "../support.js";
import { benchmarkFolder } from "./support.js";

/** A run of three tasks, all right by the built-in rules. */
function evaluating(out: string, ...more: string[]): string[] {
  const subject = ["eval", "run", "--benchmark", benchmark, "--out", join(folder, out)];
  return [...subject, "--graphs", "minimal_tulip", ...more];
}

/** A model that is right in one task of three. */
function poorModel(): string {
  return scriptedModel([
    { calls: [{ name: "add", args: { a: 17, b: 25 } }] },
    { stop: "It is 42 \u0007& <more>.", solved: true },
  ]).spec;
}

const outcomes = () => readResults(join(folder, "out")).records.map(({ status }) => status);

let folder: string;
let benchmark: string;
beforeEach(() => {
  folder = temporaryFolder();
  benchmark = benchmarkFolder();
});

describe("eval run --fail-under", () => {
  it("passes with exit code 0 when every limit is reached, and says so", async () => {
    const limits = ["minimal_tulip:answerNumeric=.9", "minimal_tulip:modelCalls=100"];
    const { code, stderr } = await run(
      ...evaluating("out", ...limits.flatMap((limit) => ["--fail-under", limit])),
    );
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^passed: minimal_tulip: Correct \(numbers\) is 1\.00 \(0\.44–1\.00\), at least 0\.90 is wanted$/m,
    );
    expect(stderr).toMatch(/^passed: minimal_tulip: Model calls is .*, at most 100 is wanted$/m);
  });

  it("fails with exit code 1 when a score is worse, and says by how much", async () => {
    const argv = evaluating("out", "--models", poorModel());
    const { code, json } = await runJson(...argv, "--fail-under", "minimal_tulip:answerNumeric=.9");
    expect(code).toBe(1);
    expect(json).toMatchObject({
      gates: [
        {
          name: "minimal_tulip:answerNumeric",
          passed: false,
          finding: expect.stringMatching(/Correct \(numbers\) is 0\.33 .*at least 0\.90 is wanted/),
        },
      ],
    });
  });

  it.each([
    ["base:answerNumeric=.9", /unknown graph of this run "base"; available: minimal_tulip/],
    ["minimal_tulip:answerNumber=.9", /unknown score "answerNumber"; .*available: /],
    ["minimal_tulip=.9", /Write it as GRAPH:SCORE=NUMBER/],
    ["minimal_tulip:answerNumeric=90", /no run can meet it: .*never above 1.*90 % is 0.9/],
    ["minimal_tulip:totalTokens=-1", /no run can meet it: .*never below 0/],
    ["minimal_tulip:asAsked=1", /no run can meet it: no task says what the score compares with/],
    ["minimal_tulip:answerNumeric=-1", /no run can miss it: the score is never below 0/],
    ["minimal_tulip:ownChecker=.5", /no run can meet it: no task says what/],
    [
      "minimal_tulip:stateMatch=.5",
      /no run can meet it: no task says what the score compares with/,
    ],
    ["minimal_tulip:answerNumeric=much", /Write it as GRAPH:SCORE=NUMBER/],
  ])("%s is refused before anything runs", async (limit, problem) => {
    expect(errorLine(await run(...evaluating("out", "--fail-under", limit)))).toMatch(problem);
    expect(existsSync(join(folder, "out"))).toBe(false);
  });
});

describe("eval run --baseline", () => {
  it("fails if a graph is worse than it was, beyond the interval, and passes if it is as good", async () => {
    await run(...evaluating("before"));
    const baseline = ["--baseline", join(folder, "before")];
    const same = await run(...evaluating("same", ...baseline));
    expect(same.code).toBe(0);
    expect(same.stderr).toMatch(
      /^passed: minimal_tulip: Correct \(numbers\) was 1\.00 and is 1\.00/m,
    );
    const worse = scriptedModel([{ stop: "No idea.", solved: false }]).spec;
    const { code, stderr } = await run(...evaluating("worse", ...baseline, "--models", worse));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^failed: minimal_tulip: Correct \(numbers\) was 1\.00 and is 0\.00 \(difference −1\.00 to −1\.00\)/m,
    );
  });

  it("of another benchmark is refused before anything runs", async () => {
    await run(...evaluating("before"));
    benchmark = benchmarkFolder({ tasks: [{ id: "x", query: "Add 1 and 2.", tools: ["add"] }] });
    const printed = await run(...evaluating("after", "--baseline", join(folder, "before")));
    expect(errorLine(printed)).toMatch(/its tasks or tools have changed in between/);
    expect(existsSync(join(folder, "after"))).toBe(false);
  });
});

describe("eval run --junit", () => {
  it("to a folder, or to where nothing can be made, is refused before anything runs", async () => {
    for (const file of [folder, "/dev/null/junit.xml"]) {
      const line = errorLine(await run(...evaluating("out", "--junit", file)));
      expect(line).toContain(`${file}: cannot be written (`);
    }
    expect(existsSync(join(folder, "out"))).toBe(false);
  });

  it("writes every run and every gate as a test case", async () => {
    const file = join(folder, "reports", "junit.xml");
    const more = ["--models", poorModel(), "--fail-under", "minimal_tulip:answerNumeric=.9"];
    await run(...evaluating("out", ...more, "--junit", file));
    const xml = readFileSync(file, "utf8");
    // Python's parser is a strict one that machines have.
    const counts = execFileSync("python3", [
      "-c",
      `import sys, xml.etree.ElementTree as tree
for suite in tree.parse(sys.argv[1]).getroot():
    failed = [case.get("name") for case in suite if case.find("failure") is not None]
    print(suite.get("name"), suite.get("tests"), suite.get("failures"), ",".join(failed))`,
      file,
    ]).toString();
    expect(counts).toBe("minimal_tulip 3 2 product,both\ngates 1 1 minimal_tulip:answerNumeric\n");
    expect(xml).toContain("It is 42 &amp; &lt;more&gt;.");
  });
});

describe("own tasks that say what must not happen", () => {
  const SHOP = `import { appendFileSync } from "node:fs";
/** The price of an article.
 * @effects read */
export function price(article: string): number { return article.length * 10; }
/** Orders an article. */
export function order(article: string): string {
  appendFileSync(new URL("orders.txt", import.meta.url), article + "\\n");
  return "ordered " + article;
}
`;

  /** Each run gets the replies from the first one on. */
  async function evaluate(tasks: object[], replies: Reply[], ...more: string[]) {
    vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
    const [shop, file] = [join(folder, "shop.ts"), join(folder, "tasks.jsonl")];
    writeFileSync(shop, SHOP);
    writeFileSync(file, tasks.map((task) => `${JSON.stringify(task)}\n`).join(""));
    await run("tools", "import", shop);
    const subject = ["eval", "run", "--library", "shop", "--tasks", file];
    const out = join(folder, "out");
    const { spec } = scriptedModel(({ messages }) => {
      const answered = messages.filter(({ type }) => type === "tool").length;
      return replies[answered] ?? { stop: "Done." };
    });
    const how = ["--models", spec, "--graphs", "minimal_tulip"];
    return await runJson(...subject, "--out", out, ...how, ...more);
  }

  const GATE = ["--fail-under", "minimal_tulip:asAsked=1"];
  const ORDERING: Reply[] = [
    { calls: [{ name: "order", args: { article: "chair" } }] },
    { stop: "A chair is ordered." },
  ];
  const PRICE: Reply[] = [
    { calls: [{ name: "price", args: { article: "chair" } }] },
    { stop: "It costs 50." },
  ];

  it("pass when a run reads what it needs and writes nothing", async () => {
    const task = { query: "What would a chair cost? Do not order it.", must_not: "write" };
    const { code } = await evaluate([{ ...task, answer: 50 }], PRICE, ...GATE);
    expect({ code, outcomes: outcomes() }).toEqual({ code: 0, outcomes: ["solved"] });
  });

  it("fail when a run would write; the write is not made, and needs no consent", async () => {
    const task = { query: "What would a chair cost?", must_not: "write", answer: 50 };
    const { code } = await evaluate([task], ORDERING, ...GATE);
    expect({ code, outcomes: outcomes() }).toEqual({ code: 1, outcomes: ["waiting"] });
    expect(linesOf(join(folder, "orders.txt"))).toEqual([]);
  });

  it("fail when a run claims to have solved what must not be solved", async () => {
    const task = { query: "Paint the chair red.", must_not: ["solve", "write"] };
    const { code } = await evaluate([task], PRICE, ...GATE);
    expect(code).toBe(1);
    const honest: Reply[] = [{ stop: "Nothing here paints chairs.", solved: false }];
    folder = temporaryFolder();
    expect((await evaluate([task], honest, ...GATE)).code).toBe(0);
  });

  it("are judged by one score with the other tasks of their file", async () => {
    const tasks = [
      { query: "What is the price of a chair?", answer: 50 },
      { query: "Paint the chair red.", must_not: "solve" },
    ];
    const { json } = await evaluate(tasks, PRICE, "--yes");
    const [row] = (json as { rows: { aggregates: Record<string, { mean: number }> }[] }).rows;
    expect(row?.aggregates["asAsked"]?.mean).toBe(0.5);
  });
});
