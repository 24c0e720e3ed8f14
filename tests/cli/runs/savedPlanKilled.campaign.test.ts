import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import type { runReport } from "../../../cli/runs/printRun.js";
import { linesOf, scriptIn, startChild, temporaryFolder } from "../support.js";

/** Leaves a mark at its start, and takes long enough for the process to be killed. */
const TOOLS = `
import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Look at a page.
 *
 * @param page - Its number.
 * @param log - The file in which the look is noted.
 * @name look_at_page
 * @effects read
 */
export async function lookAtPage(page: number, log: string): Promise<string> {
  appendFileSync(log + ".looks", page + "\\n");
  await pause(300);
  return "page " + page;
}

/**
 * Write a line.
 *
 * @param line - The line.
 * @param log - The file.
 * @name note_line
 */
export async function noteLine(line: string, log: string): Promise<string> {
  appendFileSync(log, line + "\\n");
  if (line === "page 13") await pause(60_000);
  return line;
}
`;

const OPTIONS = ["--library", "pages"];

/** The folder of the tools, and the home with the saved plan, which both tests copy. */
const place = mkdtempSync(join(tmpdir(), "tulipgraph-killed-"));
const TEMPLATE = join(place, "home");
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** The output of the plan, the same for both tests, since its program names the file. */
const log = join(place, "log.txt");

let saving: Promise<void> | undefined;

/** Starts the command line in a home, with a model that writes a program. */
function starting(home: string, program = "") {
  const script = { subtasks: [], searches: [], act: [{ text: "" }], program };
  const env = { TULIPGRAPH_HOME: home, ...scriptIn(temporaryFolder(), script) };
  return (...argv: string[]) => startChild({ argv, env });
}

function solveIn(home: string, program: string, thread: string) {
  const settings = ["--set", "threshold=4", "--graph", "tulip", "--model", "fake:child", "--json"];
  const argv = ["solve", "Note pages", ...OPTIONS, ...settings, "--thread", thread];
  return starting(home, program)(...argv);
}

/** Makes a library in which a plan is saved that notes pages. */
async function savePlan(): Promise<void> {
  const tools = join(place, "tools.ts");
  writeFileSync(tools, TOOLS);
  const start = starting(TEMPLATE);
  await start("tools", "import", tools, ...OPTIONS).ended;
  const program = [
    "let count = 0;",
    "for (const page of [1]) {",
    `  const text = await look_at_page({ page, log: "${log}" });`,
    `  await note_line({ line: text, log: "${log}" });`,
    "  count += 1;",
    "}",
    "return `Noted ${count} pages.`;",
  ].join("\n");
  await solveIn(TEMPLATE, program, "first").ended;
  const asTool = ["--as", "note_pages", "--parameter", "pages=[1]"];
  const saved = await start("plans", "save", "first", ...asTool).ended;
  expect(saved).toMatchObject({ code: 0, stderr: "" });
  expect(linesOf(log)).toEqual(["page 1"]);
}

/** A home in which the plan is saved, and nothing else has happened. */
async function savedPlan() {
  await (saving ??= savePlan());
  const home = join(temporaryFolder(), "home");
  cpSync(TEMPLATE, home, { recursive: true });
  writeFileSync(log, "page 1\n");
  writeFileSync(`${log}.looks`, "1\n");
  return {
    solve: (program: string) => solveIn(home, program, "job"),
    start: starting(home),
  };
}

it("continues in the middle of a saved plan wherever it is killed, and writes nothing twice", async () => {
  const { solve, start } = await savedPlan();
  let child = solve("return await note_pages({ pages: [2, 3, 4, 5, 6] });");
  for (const looks of [3, 5]) {
    // A look begins when all earlier writes have ended, so the kill comes between two iterations of the loop.
    while (linesOf(`${log}.looks`).length < looks && child.process.exitCode === null)
      await pause(5);
    child.process.kill("SIGKILL");
    await child.ended;
    child = start("resume", "job", "--json");
  }
  const { code, stdout, stderr } = await child.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const report = JSON.parse(stdout) as ReturnType<typeof runReport>;
  expect(report).toMatchObject({
    status: "solved",
    answer: "Noted 5 pages.",
    calls: [{ tool: "note_pages" }],
  });
  expect(linesOf(log)).toEqual([1, 2, 3, 4, 5, 6].map((page) => `page ${page}`));
});

it("asks whether an interrupted write of a saved plan was made, and goes on behind it", async () => {
  const { solve, start } = await savedPlan();
  const child = solve("return await note_pages({ pages: [2, 13, 4] });");
  while (!linesOf(log).includes("page 13") && child.process.exitCode === null) await pause(5);
  child.process.kill("SIGKILL");
  await child.ended;
  const waiting = await start("resume", "job", "--json").ended;
  expect(waiting).toMatchObject({ code: 3, stdout: expect.stringContaining("Was note_line") });
  const answer = JSON.stringify({ made: true, result: "page 13" });
  const { stdout } = await start("resume", "job", "--answer", answer, "--json").ended;
  const report = JSON.parse(stdout) as ReturnType<typeof runReport>;
  expect(report).toMatchObject({ status: "solved", answer: "Noted 3 pages." });
  expect(linesOf(log)).toEqual([1, 2, 13, 4].map((page) => `page ${page}`));
});
