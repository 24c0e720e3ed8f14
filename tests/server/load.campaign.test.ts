import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { hasPostgres } from "../fakes/homes.js";
import { ROOT } from "../fakes/langgraphServer.js";

const run = promisify(execFile);

it("servers under a small load finish every run, and the campaign prints a table of it", async () => {
  const databases = hasPostgres ? ["sqlite", "postgres"] : ["sqlite"];
  const { stdout } = await run(
    join(ROOT, "node_modules/.bin/tsx"),
    `tests/campaigns/serverLoad.ts --callers 1,4 --runs 8 --delay 10 --servers ${databases.join(",")}`.split(
      " ",
    ),
    { cwd: ROOT, timeout: 240_000 },
  );
  const rows = stdout
    .split("\n")
    .filter((line) => /^\| .* \| \d+ \|/.test(line))
    .map((line) => line.split(" | ").map((cell) => cell.replaceAll("|", "").trim()));
  expect(rows.map(([server, callers]) => [server, callers])).toEqual([
    ["the graph in this process", "1"],
    ...databases.flatMap((name) =>
      ["1", "4"].flatMap((callers) => [
        [name, callers],
        [`${name}, a burst`, callers],
      ]),
    ),
  ]);
  expect(rows.map((row) => row[6])).toEqual(rows.map(() => "0"));
});
