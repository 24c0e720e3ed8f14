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
 * @name note_line
 */
export function noteLine(line: string, log: string): string {
  appendFileSync(log, line + "\\n");
  return line;
}
`;

const PAGES = [1, 2, 3, 4, 5];

it("continues in the middle of a loop wherever it is killed, and writes nothing twice", async () => {
  const folder = temporaryFolder();
  const home = join(folder, "home");
  const log = join(folder, "log.txt");
  const tools = join(folder, "tools.ts");
  writeFileSync(tools, TOOLS);
  const program = [
    "let count = 0;",
    `for (const page of ${JSON.stringify(PAGES)}) {`,
    `  const text = await look_at_page({ page, log: "${log}" });`,
    `  await note_line({ line: text, log: "${log}" });`,
    "  count += 1;",
    "}",
    "return `Noted ${count} pages.`;",
  ].join("\n");
  const script = { subtasks: [], searches: [], act: [], program };
  const env = { TULIPGRAPH_HOME: home, ...scriptIn(folder, script) };
  const start = (...argv: string[]) => startChild({ argv, env });
  const options = ["--library", "pages", "--set", "threshold=4"];
  await start("tools", "import", tools, "--library", "pages").ended;

  const graph = ["--graph", "tulip", "--model", "fake:child", "--thread", "job"];
  let child = start("solve", "Note pages 1 to 5", ...options, ...graph);
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
