import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
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
 * @param waitMs - Milliseconds until it is confirmed.
 * @name note_line
 */
export async function noteLine(line: string, log: string, waitMs = 0): Promise<string> {
  appendFileSync(log, line + "\\n");
  await pause(waitMs);
  return line;
}
`;

const PAGES = [1, 2, 3, 4, 5];

/** A run of a program, which is given the file that it writes to. */
async function loop(program: (log: string) => string[]) {
  const folder = temporaryFolder();
  const home = join(folder, "home");
  const log = join(folder, "log.txt");
  const tools = join(folder, "tools.ts");
  writeFileSync(tools, TOOLS);
  const script = { subtasks: [], searches: [], act: [], program: program(log).join("\n") };
  const env = { TULIPGRAPH_HOME: home, ...scriptIn(folder, script) };
  const start = (...argv: string[]) => startChild({ argv, env });
  await start("tools", "import", tools, "--library", "pages").ended;
  const options = ["--library", "pages", "--set", "threshold=4"];
  const graph = ["--graph", "tulip", "--model", "fake:child", "--thread", "job"];
  const solve = () => start("solve", "Note the pages", ...options, ...graph);
  return { folder, log, start, solve };
}

it("goes on behind a write that was under way, once it knows that it was made", async () => {
  const { log, start, solve } = await loop((file) => [
    "let count = 0;",
    `for (const page of ${JSON.stringify(PAGES)}) {`,
    `  await note_line({ line: "page " + page, log: "${file}", waitMs: page === 3 ? 60000 : 0 });`,
    "  count += 1;",
    "}",
    "return `Noted ${count} pages.`;",
  ]);
  const child = solve();
  while (linesOf(log).length < 3 && child.process.exitCode === null) await pause(5);
  child.process.kill("SIGKILL");
  await child.ended;
  const asked = await start("resume", "job").ended;
  expect(asked.code).toBe(3);
  expect(asked.stdout).toContain('Was note_line {"line":"page 3"');
  const answer = ["--answer", '{"made":true,"result":"page 3"}'];
  const { code, stdout } = await start("resume", "job", ...answer, "--json").ended;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ status: "solved", answer: "Noted 5 pages." });
  expect(linesOf(log)).toEqual(PAGES.map((page) => `page ${page}`));
});

it("continues in the middle of a loop wherever it is killed, and writes nothing twice", async () => {
  const { folder, log, start, solve } = await loop((file) => [
    "let count = 0;",
    `for (const page of ${JSON.stringify(PAGES)}) {`,
    `  const text = await look_at_page({ page, log: "${file}" });`,
    `  await note_line({ line: text, log: "${file}" });`,
    "  count += 1;",
    "}",
    "return `Noted ${count} pages.`;",
  ]);
  let child = solve();
  for (const looks of [2, 4]) {
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
  expect(report).toMatchObject({ status: "solved", answer: "Noted 5 pages." });
  expect(linesOf(log)).toEqual(PAGES.map((page) => `page ${page}`));
  expect(report.calls.map(({ tool }) => tool)).toEqual(
    PAGES.flatMap(() => ["look_at_page", "note_line"]),
  );
  expect(linesOf(join(folder, "questions.jsonl"))).toHaveLength(1);
});
