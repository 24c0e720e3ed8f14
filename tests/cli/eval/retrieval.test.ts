import { describe, expect, it } from "vitest";
// Registers the embeddings "words:hashed".
// oxlint-disable-next-line import/no-unassigned-import
import "../../fakes/testLibrary.js";
import { filesOf } from "../../eval/retrieval/support.js";
import { errorLine, run } from "../support.js";

function command(files: { toolsFile: string; queriesFile: string }, ...options: string[]) {
  const { toolsFile, queriesFile } = files;
  return ["eval", "retrieval", "--tools", toolsFile, "--queries", queriesFile, ...options];
}

describe("tulipgraph eval retrieval", () => {
  it("prints one row for each method and split, then what it took", async () => {
    const { code, stdout, stderr } = await run(...command(filesOf(), "-k", "1,2"));
    expect(code).toBe(0);
    const lines = stdout.split("\n");
    expect(lines[0]).toMatch(/^method +split +queries +Recall@1 +Recall@2 +NDCG@10 +COMP@10$/);
    expect(lines[1]).toMatch(
      /^meaning \(words:hashed\) +all +2 +1\.000 \[1\.000, 1\.000\] +1\.000 \[.*\] +1\.000 +1\.000$/,
    );
    expect(lines.slice(2, 10).map((line) => line.split(" ")[0])).toEqual(
      "meaning meaning words words words both both both".split(" "),
    );
    expect(stdout).toMatch(/^left out +1 queries without a relevant tool$/m);
    expect(stdout).toMatch(/^embedded +5 texts now, of all about \d+ tokens$/m);
    expect(stderr).toBe("");
  });

  it.each([
    [["-k", "0"], /Not a count from 1 up/],
    [["-k", "five"], /Not a number/],
    [["-k", "1,,5"], /Write it as a,b,c/],
    [["--limit", "1.5"], /Not a count/],
    [["--split", "sport"], /unknown split .*"sport".*available: math, travel/],
    [["--embeddings", "nobody:x"], /unknown embeddings provider "nobody"/],
    [["--tools", "nowhere.jsonl"], /tools nowhere\.jsonl: the file does not exist/],
    [["--queries", "tests"], /queries tests: it is a folder/],
  ])("refuses %j in one line", async (options, message) => {
    expect(errorLine(await run(...command(filesOf(), ...options)))).toMatch(message);
  });

  it("refuses requests of which none has a relevant tool", async () => {
    const queries = [{ id: "1", query: "tell a joke", tools: [] }];
    const line = errorLine(await run(...command(filesOf({ queries }))));
    expect(line).toContain("none of the 1 queries chosen from");
  });
});
