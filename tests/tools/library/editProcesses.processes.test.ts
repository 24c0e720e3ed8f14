import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { LibraryEditor } from "../../../tools/library/library.js";
import { programFile } from "../../fakes/programs.js";
import { generated, note, tool, workshop } from "./support.js";

const shop = workshop();
const children = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
  await shop.clear();
});

const SCRIPT = programFile("tests/tools/library/editInChild.ts");

function startChild(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [SCRIPT, ...args], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  children.add(child);
  return child;
}

/** A home whose library has an index and, besides the tool that is edited, a tool of a file. */
async function homeWithIndex(): Promise<string> {
  const home = shop.newHome();
  const library = await shop.openLibrary({ home });
  await library.sync({ origin: "a.ts", fingerprint: "1", tools: [tool("add")] });
  await library.search({ phrases: ["add"], topK: 1 });
  return home;
}

/** The tools that a search finds, as another process would, each as often as it is found. */
async function foundIn(library: LibraryEditor): Promise<string[] | undefined> {
  const { results } = await library.search({ phrases: ["shared version"], topK: 9 });
  return results[0]?.hits.map(({ id }) => id);
}

const versionsOf = (library: LibraryEditor) =>
  library.history("shared").map(({ version }) => version);

describe("two processes that edit one tool at once", () => {
  const ROUNDS = 12;

  it("never both win: one makes the next version, the other is told of it", async () => {
    const home = shop.newHome();
    const rivals = ["one", "other"].map((name) => startChild(home, "rival", name));
    const winners: string[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      await told(rivals, "read");
      const outcomes = await told(rivals, "edit");
      const made = outcomes.filter((outcome) => outcome.endsWith(` made ${round}`));
      const conflicts = outcomes.filter((outcome) => outcome === `conflict with ${round}`);
      expect([made.length, conflicts.length]).toEqual([1, 1]);
      winners.push(made[0]?.split(" ")[0] ?? "");
    }
    for (const rival of rivals) rival.send("end");
    const codes = await Promise.all(rivals.map(async (rival) => (await once(rival, "close"))[0]));
    expect(codes).toEqual([0, 0]);

    const library = await shop.openLibrary({ home });
    expect(versionsOf(library)).toEqual(Array.from({ length: ROUNDS }, (_, at) => at + 1));
    expect(library.history("shared").map((entry) => entry.note?.by)).toEqual(winners);
    expect(library.revision).toBe(ROUNDS);
    expect(await foundIn(library)).toEqual(["shared"]);
  }, 300_000);
});

/** Gives all children an order at once and waits for each one's answer. */
async function told(rivals: readonly ChildProcess[], order: string): Promise<string[]> {
  return await Promise.all(
    rivals.map(async (rival) => {
      const answer = once(rival, "message") as Promise<[string]>;
      rival.send(order);
      return (await answer)[0];
    }),
  );
}

describe("a process that is killed", () => {
  it("between writing a version and indexing it leaves a tool that the next one finds", async () => {
    const home = await homeWithIndex();
    const child = startChild(home, "put");
    expect(await lineAfter(child, 1)).toBe("only made 1");
    child.kill("SIGKILL");
    await once(child, "close");

    const library = await shop.openLibrary({ home });
    expect(await foundIn(library)).toEqual(["shared", "add"]);
    expect(versionsOf(library)).toEqual([1]);
    await library.put({ tool: generated("shared"), basedOn: 1, note: note("went on") });
    expect(versionsOf(library)).toEqual([1, 2]);
  }, 300_000);

  it("between writing an index and giving it its place leaves the next one to make it", async () => {
    const home = await homeWithIndex();
    const child = startChild(home, "rename");
    expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
    const folder = join(home, "indexes", "1-tools");
    const index = expect.stringMatching(/^fake-words-[0-9a-f]{8}-64$/);
    expect(readdirSync(folder)).toEqual([index, expect.stringMatching(/^unfinished-/)]);

    const library = await shop.openLibrary({ home });
    expect(await foundIn(library)).toEqual(["shared", "add"]);
    expect(await foundIn(await shop.openLibrary({ home }))).toEqual(["shared", "add"]);
    expect(versionsOf(library)).toEqual([1]);
    const documents = join(folder, readdirSync(folder)[0] ?? "", "docstore.json");
    expect(readFileSync(documents, "utf8")).toContain("shared");
  }, 300_000);

  it("while the text is embedded leaves the library as it was", async () => {
    const home = shop.newHome();
    await shop.openLibrary({ home });
    const child = startChild(home, "embedding");
    expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
    const library = await shop.openLibrary({ home });
    expect([library.revision, versionsOf(library)]).toEqual([0, []]);
  }, 300_000);

  it("at any moment loses no version that it has reported, and makes none twice", async () => {
    const home = await homeWithIndex();
    let told = 0;
    for (const rounds of [2, 5, 11]) {
      const child = startChild(home, "versions");
      const last = await lineAfter(child, rounds);
      told = Number(last.split(" ").at(-1));
      child.kill("SIGKILL");
      await once(child, "close");

      const library = await shop.openLibrary({ home });
      const versions = versionsOf(library);
      expect(versions).toEqual(versions.map((_, at) => at + 1));
      expect(versions.length).toBeGreaterThanOrEqual(told);
      expect(library.get("shared")?.version).toBe(versions.length);
      expect((await foundIn(library))?.toSorted()).toEqual(["add", "shared"]);
    }
    expect(told).toBeGreaterThanOrEqual(18);
  }, 300_000);
});

/** The last whole line of a process, once it has printed so many. */
async function lineAfter(child: ChildProcess, count: number): Promise<string> {
  let seen = "";
  for await (const part of child.stdout ?? []) {
    seen += String(part);
    const lines = seen.split("\n").slice(0, -1);
    if (lines.length >= count) return lines.at(-1) ?? "";
  }
  throw new Error("the process has ended early");
}
