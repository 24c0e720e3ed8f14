import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openKeptReplies } from "../../../eval/fineTuning/keptReplies.js";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tulipgraph-replies-"));
  file = join(folder, "replies.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("kept replies", () => {
  it("are found when the file is opened again, until they are cleared", async () => {
    const first = await openKeptReplies(file);
    expect(first.isEmpty()).toBe(true);
    first.keep({ key: "one", text: "a\nb" });
    expect(first.find("one")).toBe("a\nb");
    const second = await openKeptReplies(file);
    expect([second.find("one"), second.find("two"), second.isEmpty()]).toEqual([
      "a\nb",
      undefined,
      false,
    ]);
    second.clear();
    expect(existsSync(file)).toBe(false);
  });

  it("survive an incomplete line, which does not spoil the next one", async () => {
    (await openKeptReplies(file)).keep({ key: "one", text: "a" });
    appendFileSync(file, '{"key":"two","te');
    (await openKeptReplies(file)).keep({ key: "three", text: "c" });
    const replies = await openKeptReplies(file);
    expect(["one", "two", "three"].map(replies.find)).toEqual(["a", undefined, "c"]);
    expect(readFileSync(file, "utf8").trimEnd().split("\n")).toHaveLength(2);
  });

  it("are refused if the file cannot be written", async () => {
    await expect(openKeptReplies(join(folder, "none", "replies.jsonl"))).rejects.toThrow(
      /^file of replies .*cannot be used .*name another place/,
    );
  });
});
