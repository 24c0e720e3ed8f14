import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sameOfficeChange } from "../../../../tools/catalogs/office/change.js";
import { readOfficeTables } from "../../../../tools/catalogs/office/readTables.js";
import { officeWorld } from "../../../../tools/catalogs/office/world.js";
import { sha256 } from "../../../../tools/library/records/hash.js";
import { createToolRuntime } from "../../../../tools/runtime/runtime.js";
import {
  contextOn,
  HAS_WORKBENCH,
  officeFunction,
  officeTools,
  type RecordedCall,
  WORKBENCH,
  workbenchLines,
} from "./support.js";

interface RecordedTask {
  id: string;
  calls: RecordedCall[];
  state_diff: Record<string, unknown>;
}

/** Every so many of the tasks with calls also go through the runtime and its journal. */
const STRIDE = 18;

describe.skipIf(!HAS_WORKBENCH)(
  "the right calls of WorkBench (skipped where ../shared/bench is absent)",
  () => {
    const tasks = HAS_WORKBENCH ? workbenchLines<RecordedTask>("queries.jsonl") : [];
    const world = HAS_WORKBENCH
      ? officeWorld({ tables: readOfficeTables(`${WORKBENCH}data`) })
      : undefined;
    if (world === undefined) return;

    it("answer as recorded and change exactly what is recorded, in all 480 tasks", () => {
      expect(tasks).toHaveLength(480);
      const replayed = tasks.map(({ id, calls }) => {
        const ctx = contextOn(world.create());
        const outs = calls.map(({ tool, args }) => officeFunction(tool)(args, ctx));
        return { id, outs, change: world.save(ctx.world) };
      });
      expect(replayed).toStrictEqual(tasks.map(recorded));
    });

    it("are right by the comparison of changes, and those of other tasks are not", () => {
      const judged = tasks.map(({ state_diff }) => sameOfficeChange(state_diff, state_diff));
      expect(judged).toEqual(tasks.map(() => ({ same: true, unwanted: 0 })));
      const changes = new Map(
        tasks.map(({ state_diff }) => [JSON.stringify(state_diff), state_diff]),
      );
      const neighbours = [...changes.values()].map((change, place, all) => [
        change,
        all[place - 1],
      ]);
      const taken = neighbours.filter(
        ([change, other]) => sameOfficeChange(change, other ?? {}).same,
      );
      expect(changes.size).toBeGreaterThan(300);
      expect(taken).toEqual([]);
    });

    it("do the same through the runtime, with worlds that are saved after every call", async () => {
      const home = mkdtempSync(join(tmpdir(), "tulipgraph-office-"));
      const runtime = createToolRuntime({ home, worlds: [world] });
      const tools = new Map(
        (await officeTools()).map((tool) => [
          tool.name,
          { ...tool, version: 1, hash: sha256(JSON.stringify(tool)) },
        ]),
      );
      const run = async ({ id, calls }: RecordedTask) => {
        const outcomes = await runtime.runCalls({
          threadId: id,
          timeoutMs: 60_000,
          calls: calls.flatMap(({ tool, args }, place) => {
            const record = tools.get(tool);
            return record ? [{ id: `${id}-${place}`, tool: record, args }] : [];
          }),
        });
        const { stateJson } = (await runtime.worlds.open({ name: "office", runId: id })).saved();
        return { id, outs: outcomes.map(({ result }) => result), change: JSON.parse(stateJson) };
      };
      try {
        const withCalls = tasks.filter(({ calls }) => calls.length > 0);
        const sample = withCalls.filter((_task, place) => place % STRIDE === 0);
        expect(sample.length).toBeGreaterThanOrEqual(20);
        expect(await Promise.all(sample.map(run))).toStrictEqual(sample.map(recorded));
      } finally {
        await runtime.close();
        rmSync(home, { recursive: true, force: true });
      }
    });
  },
);

function recorded({ id, calls, state_diff }: RecordedTask) {
  return { id, outs: calls.map(({ out }) => out), change: state_diff };
}
