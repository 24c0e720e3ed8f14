import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { PastCall } from "../../memory/experience.js";
import { openExperience } from "../../memory/openExperience.js";
import { StorageFailed } from "../../storage/sqlite/sqlite.js";
import { inEachHome } from "../fakes/homes.js";
import { programFile } from "../fakes/programs.js";
import { allOf, anyPastCalls, openStore, question, temporaryHome, pastCalls } from "./support.js";

inEachHome("an experience", (newPlace) => {
  describe("adding past calls", () => {
    it("keeps every field, and their order", async () => {
      const store = openStore(await newPlace());
      const added = pastCalls(
        { id: "b", helpful: null, judgedBy: "model", args: { deep: [{ x: null }] } },
        { id: "a", failed: true, helpful: false, cost: 0.25, ms: 1.5 },
      );
      expect(await store.add(added)).toEqual({ added: 2, known: 0 });
      expect(await allOf(store.pastCalls())).toEqual(added);
    });

    it("changes nothing for a known one, whether of the same batch or an earlier one", async () => {
      const store = openStore(await newPlace());
      const [pastCall] = pastCalls({ id: "one" });
      const again = pastCalls({ id: "one", query: "another request", tool: "other", cost: 9 });
      expect(await store.add([...pastCalls({ id: "one" }), ...again])).toEqual({
        added: 1,
        known: 1,
      });
      expect(await store.add(again)).toEqual({ added: 0, known: 1 });
      expect(await allOf(store.pastCalls())).toEqual([pastCall]);
      expect(await store.stats()).toMatchObject({ usages: 1, queries: 1, tools: 1 });
    });

    it("adds all of a batch or none", async () => {
      const store = openStore(await newPlace());
      const torn = [...pastCalls({}), ...pastCalls({ cost: Number.NaN })];
      await expect(store.add(torn)).rejects.toThrow(/cost/);
      await expect(store.add(pastCalls({ cost: -1 }))).rejects.toThrow(/cost/);
      expect(await store.stats()).toMatchObject({ usages: 0, queries: 0, tools: 0 });
    });

    it("cuts long results, and replaces what a text of SQLite cannot hold", async () => {
      const store = openStore(await newPlace());
      await store.add(
        pastCalls({ id: "long", result: "x".repeat(100_000) }, { id: "nul", result: "a\0b" }),
      );
      const [long, nul] = (await allOf(store.pastCalls())).map(({ result }) => result);
      expect(long).toBe("x".repeat(32_768));
      expect(nul).toBe("a\uFFFDb");
    });
  });

  describe("reading past calls", () => {
    it("lets others add while it goes on over more than a page", async () => {
      const place = await newPlace();
      const store = openStore(place);
      const other = openStore(place);
      await store.add(pastCalls(...Array.from({ length: 1500 }, () => ({}))));
      const reading = store.pastCalls()[Symbol.asyncIterator]();
      await reading.next();
      expect(await other.add(pastCalls({}))).toEqual({ added: 1, known: 0 });
      expect(await allOf(rest(reading))).toHaveLength(1500);
    });
  });

  describe("counts", () => {
    it("are those of the past calls, however these are divided into batches", async () => {
      await fc.assert(
        fc.asyncProperty(anyPastCalls, fc.nat(30), async (all, cut) => {
          const store = openExperience(await newPlace());
          await store.add(all.slice(0, cut));
          await store.add(all);
          for (const library of await store.libraries()) {
            const kept = await allOf(store.pastCalls({ library }));
            expect(await store.stats({ library })).toEqual(counted(kept));
          }
          expect((await store.stats()).usages).toBe(all.length);
          await store.close();
        }),
        { numRuns: 40 },
      );
    });
  });
});

async function* rest<Item>(iterator: AsyncIterator<Item>): AsyncGenerator<Item> {
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
}

function counted(pastCalls: readonly PastCall[]) {
  const distinct = (field: "query" | "tool") =>
    new Set(pastCalls.map((pastCall) => pastCall[field])).size;
  const verdicts = (verdict: boolean | null) =>
    pastCalls.filter(({ helpful }) => helpful === verdict).length;
  return {
    usages: pastCalls.length,
    queries: distinct("query"),
    tools: distinct("tool"),
    helpful: verdicts(true),
    unhelpful: verdicts(false),
    unjudged: verdicts(null),
  };
}

describe("an experience of several processes", () => {
  const ADDING = programFile("tests/memory/addInChild.ts");
  const start = (home: string, ...args: string[]) => {
    const child = fork(ADDING, [home, ...args], { stdio: "inherit" });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };

  /** How many transactions a child has reported; there may be more. */
  const told = async (child: ChildProcess, times: number): Promise<number> => {
    const [done] = (await once(child, "message")) as [number];
    return done < times ? await told(child, times) : done;
  };

  it("takes what all of them add at the same time", async () => {
    const home = temporaryHome();
    const children = ["a", "b"].map((name) => start(home, name, "40"));
    const codes = await Promise.all(children.map(async (child) => await once(child, "exit")));
    expect(codes.map(([code]) => code)).toEqual([0, 0]);
    expect(await openStore(home).stats()).toMatchObject({ usages: 800, queries: 20, tools: 1 });
  });

  it("has all that was added when a process is killed, and no half of a call", async () => {
    const home = temporaryHome();
    const child = start(home, "killed", "100000");
    const acknowledged = await told(child, 5);
    child.kill("SIGKILL");
    await once(child, "exit");
    const store = openStore(home);
    const kept = (await allOf(store.pastCalls())).length;
    expect(kept).toBeGreaterThanOrEqual(10 * acknowledged);
    expect(kept % 10).toBe(0);
    expect((await store.stats({ library: "math" })).usages).toBe(kept);
    const [evidence] = await store.evidence(question());
    expect(evidence?.rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(kept);
  });
});

describe("a closed experience", () => {
  it("says so from every method", async () => {
    const store = openExperience({ home: temporaryHome() });
    await store.close();
    await expect(store.add([])).rejects.toThrow(StorageFailed);
    await expect(store.stats()).rejects.toThrow(/memory\.db: is closed/);
    await expect(allOf(store.pastCalls())).rejects.toThrow(StorageFailed);
    await expect(store.evidence(question())).rejects.toThrow(StorageFailed);
  });
});
