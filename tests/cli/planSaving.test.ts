import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { closeResources } from "../../resources/resources.js";
import { type ScriptedModel, scriptedModel } from "../fakes/scriptedModel.js";
import { errorLine, type Printed, run, runJson, temporaryFolder } from "./support.js";

let folder: string;
let log: string;
let model: ScriptedModel;

beforeEach(async () => {
  folder = temporaryFolder();
  log = join(folder, "log.txt");
  vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
  await importTools();
});
afterAll(closeResources);

const WORDS = ["--embeddings", "words:hashed"];
const LIBRARY = ["--library", "issues", ...WORDS];

const ISSUES = [
  { id: "I1", owner: "Freya Lund", stage: "triage", modified: "2026-01-05" },
  { id: "I2", owner: "Freya Lund", stage: "triage", modified: "2026-02-25" },
  { id: "I3", owner: "Omar Haddad", stage: "triage", modified: "2026-02-01" },
  { id: "I4", owner: "Omar Haddad", stage: "triage", modified: "2025-12-24" },
];

/** Tools of a file; a change of theirs gives them a new version. */
async function importTools(change: (source: string) => string = (source) => source): Promise<void> {
  const file = join(folder, "tools.ts");
  const source = `
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
  writeFileSync(file, change(source));
  await run("tools", "import", file, ...LIBRARY);
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

/** Solves a request with programs, on a day of which the background tells. */
async function solve(
  thread: string,
  request: string,
  replies: string[],
  ...options: string[]
): Promise<Printed & { json: unknown }> {
  model = scriptedModel(replies.map((code) => ({ text: `\`\`\`ts\n${code}\n\`\`\`` })));
  const settings = ["--graph", "tulip", "--model", model.spec, "--threshold", "4"];
  const day = ["--set", "background=Today is 2026-03-01."];
  return await runJson(
    ...["solve", request, ...LIBRARY, ...settings, ...day, "--thread", thread, ...options],
  );
}

async function solved(thread = "chores"): Promise<void> {
  const { json } = await solve(thread, REQUEST, [PROGRAM]);
  expect(json).toMatchObject({ status: "solved" });
}

function written(): string[] {
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
}

async function save(...options: string[]): Promise<Printed> {
  return await run("plans", "save", "chores", "--as", "close_stale_issues", ...options);
}

const PARAMETERS = ["--parameter", "owner=Freya Lund", "--parameter", "days=30"];

describe("plans show", () => {
  it("shows the program, its calls, and which values can be parameters", async () => {
    await solved();
    const { json } = await runJson("plans", "show", "chores");
    expect(json).toMatchObject({
      code: PROGRAM,
      status: "solved",
      calls: [{ tool: "list_issues" }, { tool: "update_issue", args: { id: "I1" } }],
      literals: [
        { parameter: 'owned_by=["Freya Lund"]', into: ["list_issues.owned_by"], lines: [1] },
        { parameter: "owned_by_2=Freya Lund", into: ["list_issues.owned_by"] },
        { parameter: "stage=triage", into: ["list_issues.stage"] },
        { parameter: "days=30", into: [], lines: [2] },
        { parameter: "stage_2=closed", into: ["update_issue.stage"] },
      ],
    });
    const { stdout } = await run("plans", "show", "chores");
    expect(stdout).toContain("--parameter 'owned_by_2=Freya Lund'");
  });
});

describe("plans save", () => {
  it("makes a tool of a plan, which does the next like request with one call", async () => {
    await solved();
    const { code, stderr } = await save(...PARAMETERS);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { json: tool } = await runJson("tools", "show", "close_stale_issues", ...LIBRARY);
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
