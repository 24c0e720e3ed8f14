import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { closeWorkspaces } from "../../../home/workspace.js";
import { type ScriptedModel, scriptedModel } from "../../fakes/scriptedModel.js";
import { errorLine, type Printed, run, runJson, temporaryFolder } from "../support.js";

/** The folder of the tools and their output, the same for all tests, since their homes name it. */
const place = mkdtempSync(join(tmpdir(), "tulipgraph-plans-"));
const toolsFile = join(place, "tools.ts");
const log = join(place, "log.txt");

/** Homes that are made once and copied: one with the tools, and one whose thread has solved the request. */
const IMPORTED = join(place, "imported");
const SOLVED = join(place, "solved");

let folder: string;
let model: ScriptedModel;

beforeAll(async () => {
  vi.stubEnv("TULIPGRAPH_HOME", IMPORTED);
  await importTools();
  await beginWith(IMPORTED, SOLVED);
  await solve("chores", REQUEST, [PROGRAM]);
  await closeWorkspaces();
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await closeWorkspaces();
  rmSync(place, { recursive: true, force: true });
});

beforeEach(async () => {
  folder = temporaryFolder();
  writeFileSync(toolsFile, toolsSource());
  rmSync(log, { force: true });
  await beginWith(IMPORTED, join(folder, "home"));
});

/** Continues in a copy of a home. */
async function beginWith(template: string, home: string): Promise<void> {
  // Open stores may hold writes that are not in their files yet.
  await closeWorkspaces();
  rmSync(home, { recursive: true, force: true });
  cpSync(template, home, { recursive: true });
  vi.stubEnv("TULIPGRAPH_HOME", home);
}

const LIBRARY = ["--library", "issues"];

const ISSUES = [
  { id: "I1", owner: "Freya Lund", stage: "triage", modified: "2026-01-05" },
  { id: "I2", owner: "Freya Lund", stage: "triage", modified: "2026-02-25" },
  { id: "I3", owner: "Omar Haddad", stage: "triage", modified: "2026-02-01" },
  { id: "I4", owner: "Omar Haddad", stage: "triage", modified: "2025-12-24" },
];

/** Imports the tools; a change gives them a new version. */
async function importTools(change: (source: string) => string = (source) => source): Promise<void> {
  writeFileSync(toolsFile, change(toolsSource()));
  await run("tools", "import", toolsFile, ...LIBRARY);
}

function toolsSource(): string {
  return `
import { appendFileSync } from "node:fs";

/** An issue. */
export interface Issue {
  id: string;
  owner: string;
  stage: string;
  /** The day of its last change. */
  modified: string;
}

/**
 * List issues.
 *
 * @param owned_by - Names of the owners.
 * @param stage - The stage that they are in.
 * @name list_issues
 * @effects read
 */
export function listIssues({ owned_by, stage }: { owned_by: string[]; stage: "triage" | "closed" }): Issue[] {
  const all: Issue[] = ${JSON.stringify(ISSUES)};
  return all.filter((issue) => owned_by.includes(issue.owner) && issue.stage === stage);
}

/**
 * Change the stage of an issue.
 *
 * @param id - Its id.
 * @param stage - The new stage.
 * @name update_issue
 */
export function updateIssue({ id, stage }: { id: string; stage: "triage" | "closed" }): string {
  appendFileSync(${JSON.stringify(log)}, id + " " + stage + "\\n");
  return id;
}
`;
}

const PROGRAM = [
  'const issues = await list_issues({ owned_by: ["Freya Lund"], stage: "triage" });',
  "const stale = issues.filter((issue) => daysBetween(issue.modified, today) > 30);",
  "for (const issue of stale) {",
  '  await update_issue({ id: issue.id, stage: "closed" });',
  "}",
  "return `Closed ${stale.length} issues of Freya Lund, unchanged for 30 days.`;",
].join("\n");

const REQUEST = "Close the issues of Freya Lund that did not change for 30 days. Thanks!";

/** Solves a request with programs, on a day that the background states. */
async function solve(
  thread: string,
  request: string,
  replies: string[],
  ...options: string[]
): Promise<Printed & { json: unknown }> {
  model = scriptedModel(replies.map((code) => ({ text: `\`\`\`ts\n${code}\n\`\`\`` })));
  const settings = ["--graph", "tulip", "--model", model.spec, "--set", "threshold=4"];
  const day = ["--set", "background=Today is 2026-03-01.", "--thread", thread];
  return await runJson("solve", request, ...LIBRARY, ...settings, ...day, ...options);
}

/** Has the request solved, in the thread "chores". */
async function solved(): Promise<void> {
  await beginWith(SOLVED, join(folder, "home"));
  writeFileSync(log, "I1 closed\n");
}

function written(): string[] {
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
}

async function save(...options: string[]): Promise<Printed> {
  return await run("plans", "save", "chores", "--as", "close_stale_issues", ...options);
}

const PARAMETERS = ["--parameter", "owner=Freya Lund", "--parameter", "days=30"];

describe("threads THREAD", () => {
  it("shows the program of the last run and its calls", async () => {
    await solved();
    const { json } = await runJson("threads", "chores");
    expect(json).toMatchObject({
      code: PROGRAM,
      status: "solved",
      calls: [{ tool: "list_issues" }, { tool: "update_issue", args: { id: "I1" } }],
    });
    const { stdout } = await run("threads", "chores");
    expect(stdout).toContain("for (const issue of stale) {");
  });
});

describe("plans save", () => {
  it("makes a tool of a plan, which solves the next similar request with one call", async () => {
    await solved();
    const { code, stderr } = await save(...PARAMETERS);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { json: tool } = await runJson("tools", "list", "close_stale_issues", ...LIBRARY);
    expect(tool).toMatchObject({
      description: "Close the issues of {owner} that did not change for {days} days.",
      effects: "write",
      version: 1,
      parameters: {
        properties: { owner: { type: "string" }, days: { type: "number" } },
        required: ["owner", "days"],
      },
      returns: { type: "string" },
      note: { by: "person" },
    });
    const call = 'close_stale_issues({ owner: "Omar Haddad", days: 60 })';
    const { json } = await solve("next", "Close what Omar Haddad left for 60 days", [
      `return await ${call};`,
    ]);
    expect(json).toMatchObject({
      status: "solved",
      answer: "Closed 1 issues of Omar Haddad, unchanged for 60 days.",
      calls: [{ tool: "close_stale_issues" }],
      usage: { modelCalls: 1 },
    });
    expect(written()).toEqual(["I1 closed", "I4 closed"]);
  });
});

describe("plans save, asked for the impossible", () => {
  it.each([
    ["a value that is not there", ["--parameter", "days=31"], "no literal of the program is 31"],
    ["a parameter without a value", ["--parameter", "days"], '"days" names no value'],
    ["a name that is none", ["--parameter", "the days=30"], "is not a name for a parameter"],
    ["a name of the language", ["--parameter", "today=30"], "is a name of the language"],
    ["a name of the program's own", ["--parameter", "stale=30"], 'has a name "stale" of its own'],
    [
      "a name twice",
      ["--parameter", "a=30", "--parameter", "a=closed"],
      "two parameters are called a",
    ],
    [
      "one place twice",
      ["--parameter", 'owners=["Freya Lund"]', "--parameter", "owner=Freya Lund"],
      'no literal of the program is "Freya Lund"',
    ],
    ["a name that is taken", ["--as", "update_issue"], 'it has a tool "update_issue" already'],
    ["a name that no tool can have", ["--as", "close stale"], "is not a name for a tool"],
    ["an unknown library", ["--library", "nowhere"], 'unknown library "nowhere"'],
  ])("says so in one line: %s", async (_what, options, message) => {
    await solved();
    expect(errorLine(await save(...options))).toContain(message);
    expect((await runJson("tools", "list", ...LIBRARY)).json).toHaveLength(2);
  });

  it("takes only an existing thread whose program did everything by itself", async () => {
    expect(errorLine(await save())).toContain('unknown thread "chores"');
    await solve("chores", REQUEST, ["throw new Error(`There is no way.`);"]);
    expect(errorLine(await save())).toContain("has not solved its request (unsolved)");
    const look = PROGRAM.replace("stale.length} issues", 'look(stale, "how many?")} issues');
    model = scriptedModel(({ stage }) => ({ text: stage === "look" ? "one" : look }));
    const options = ["--model", model.spec, "--graph", "tulip", "--set", "threshold=4"];
    const asked = await runJson("solve", REQUEST, ...LIBRARY, ...options, "--thread", "asking");
    expect(asked.json).toMatchObject({ status: "solved" });
    const refused = await run("plans", "save", "asking", "--as", "close_stale_issues");
    expect(errorLine(refused)).toContain("line 6 asks the model (look)");
    const steps = scriptedModel([{ text: "[]" }]);
    const planning = ["--model", steps.spec, "--graph", "iit_main", "--thread", "steps"];
    await run("solve", REQUEST, ...LIBRARY, ...planning);
    const none = await run("plans", "save", "steps", "--as", "close_stale_issues");
    expect(errorLine(none)).toContain("its last run (iit_main) has written no program");
  });
});

describe("a saved plan whose tools have changed", () => {
  it("runs as before if only their descriptions have changed, or what it does not use", async () => {
    await solved();
    await save(...PARAMETERS);
    await importTools((source) =>
      source
        .replace("Change the stage", "Set the stage")
        .replace(
          'stage: "triage" | "closed" }): string',
          'stage: "triage" | "closed"; note?: string }): string',
        ),
    );
    const { code, json } = await runJson("tools", "verify");
    expect(code).toBe(0);
    expect(json).toEqual({ differences: [] });
    await solve("next", "Close what Omar Haddad left", [
      'return await close_stale_issues({ owner: "Omar Haddad", days: 60 });',
    ]);
    expect(written()).toEqual(["I1 closed", "I4 closed"]);
  });

  it.each([
    [
      "takes other values",
      (source: string) => source.replaceAll('"closed"', '"done"'),
      "update_issue has changed since it was saved: line 4: update_issue: `stage` must be",
    ],
    [
      "gives something else",
      (source: string) => source.replaceAll("modified", "changed"),
      "list_issues has changed since it was saved: line 1: list_issues: its result at /0",
    ],
    [
      "needs approval",
      (source: string) => source.replace("@name update_issue", "@name update_issue\n * @approval"),
      "a person now has to approve each call of update_issue",
    ],
    [
      "is gone",
      (source: string) => source.replace("export function updateIssue", "function updateIssue"),
      "it calls update_issue, which the library no longer has",
    ],
  ])("says in one line that one %s, and does nothing", async (_what, change, message) => {
    await solved();
    await save(...PARAMETERS);
    await importTools(change);
    const { code, stdout } = await run("tools", "verify");
    expect(code).toBe(1);
    expect(stdout.split("\n")).toEqual([expect.stringContaining(message), ""]);
    const { json } = await solve("next", "Close what Omar Haddad left", [
      'return await close_stale_issues({ owner: "Omar Haddad", days: 60 });',
    ]);
    expect(json).toMatchObject({ calls: [{ error: expect.stringContaining(message) }] });
    expect(written()).toEqual(["I1 closed"]);
  });
});

describe("a saved plan and a person who approves", () => {
  const CALL = 'close_stale_issues({ owner: "Omar Haddad", days: 10 })';
  const WRITES = [
    { name: "update_issue", args: { id: "I3", stage: "closed" } },
    { name: "update_issue", args: { id: "I4", stage: "closed" } },
  ];

  it.each(["plan", "writes"])(
    "is shown with each write and its values, and makes exactly these (approval=%s)",
    async (approval) => {
      await solved();
      await save(...PARAMETERS);
      const replies = [`return await ${CALL};`];
      const { json } = await solve("next", "Close his", replies, "--set", `approval=${approval}`);
      expect(json).toMatchObject({
        status: "waiting",
        waiting: { kind: "writes", complete: true, actionRequests: WRITES },
      });
      expect(written()).toEqual(["I1 closed"]);
      const approved = await run("resume", "next", "--approve");
      expect(approved.code).toBe(0);
      expect(written()).toEqual(["I1 closed", "I3 closed", "I4 closed"]);
    },
  );

  it("makes none of its writes if one of them is rejected, and says so", async () => {
    await solved();
    await save(...PARAMETERS);
    const replies = [`return await ${CALL};`, "stop(`Not closed.`);"];
    await solve("next", "Close his", replies, "--set", "approval=plan");
    await run("resume", "next", "--reject", "Omar is away", "--json");
    expect(written()).toEqual(["I1 closed"]);
    const { json } = await runJson("threads", "next");
    expect(json).toMatchObject({
      calls: [{ error: expect.stringContaining("Omar is away") }],
    });
  });

  it("asks again about what is left if a write has made it different", async () => {
    await importTools((source) =>
      source.replace("return id;", 'return id === "I3" ? "I3 and others" : id;'),
    );
    const chain = [
      'const first = await update_issue({ id: "I3", stage: "closed" });',
      'const second = await update_issue({ id: `${first}`, stage: "triage" });',
      "return `${second}`;",
    ].join("\n");
    await solve("chores", "Do it", [chain]);
    rmSync(log, { force: true });
    expect((await run("plans", "save", "chores", "--as", "chain")).code).toBe(0);
    const { json } = await solve(
      "next",
      "Again",
      ["return await chain();"],
      "--set",
      "approval=plan",
    );
    expect(json).toMatchObject({
      waiting: { complete: false, actionRequests: [{ args: { id: "I3" } }] },
    });
    const again = await runJson("resume", "next", "--approve");
    expect(again.json).toMatchObject({
      status: "waiting",
      waiting: { complete: true, actionRequests: [{ args: { id: "I3 and others" } }] },
    });
    expect(written()).toEqual(["I3 closed"]);
    expect((await run("resume", "next", "--approve")).code).toBe(0);
    expect(written()).toEqual(["I3 closed", "I3 and others triage"]);
  });
});
