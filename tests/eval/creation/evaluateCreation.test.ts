import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type CreationEvaluation,
  evaluateCreation,
} from "../../../eval/creation/evaluateCreation.js";
import { creationFigures, type CreationRow } from "../../../eval/creation/creationFigures.js";
import type { CreationRecord } from "../../../eval/creation/creationRecord.js";
import { chooseRequests } from "../../../eval/creation/creationRequests.js";
import { OFFLINE_MODEL } from "../../../state/context.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";
import { temporaryFolder } from "../runs/support.js";

const WRITER = "simulated:writer";

interface Asked {
  folder: string;
  ids: string[];
  model?: string;
  signal?: AbortSignal;
}

async function evaluate(asked: Asked): Promise<{ records: CreationRecord[]; made: string[] }> {
  const { folder, ids, model = WRITER, signal = new AbortController().signal } = asked;
  const made: string[] = [];
  const options: CreationEvaluation = {
    folder,
    requests: chooseRequests(ids),
    settings: { model, embeddings: TEST_LIBRARY.embeddings },
    signal,
    onDone: ({ request }) => made.push(request),
  };
  return { records: await evaluateCreation(options), made };
}

function rowsOf(records: readonly CreationRecord[]): Map<string, CreationRow> {
  const made = records.flatMap((record) =>
    chooseRequests([record.request]).map((request) => ({ request, record })),
  );
  return new Map(creationFigures(made).rows.map((row) => [row.request, row]));
}

function linesIn(folder: string): string[] {
  return readFileSync(join(folder, "creation.jsonl"), "utf8").split("\n").slice(0, -1);
}

describe("an evaluation of creating tools", () => {
  it("distinguishes all outcomes of a request", async () => {
    const ids = [
      "letter-shift",
      "working-days",
      "group-means",
      "shipping-sum",
      "clamp-swapped",
      "live-temperature",
      "common-divisor",
    ];
    const { records } = await evaluate({ folder: temporaryFolder(), ids });
    const rows = rowsOf(records);
    const shown = ids.map((id) => {
      const { outcome, right, faults, hidden } = rows.get(id) ?? {};
      return [id, outcome, right, faults?.join(), hidden && `${hidden.passed}/${hidden.of}`];
    });
    expect(shown).toEqual([
      ["letter-shift", "created", false, "", "7/9"],
      ["working-days", "created", true, "rules,limit", "8/8"],
      ["group-means", "no tool", false, "examples,failed example,failed example", null],
      ["shipping-sum", "created", true, "rules", "7/7"],
      ["clamp-swapped", "updated", true, "name,failed example", "7/7"],
      ["live-temperature", "no tool", true, "types,no code,no code", null],
      ["common-divisor", "reused", true, "", "6/6"],
    ]);
    const shift = rows.get("letter-shift")?.hidden?.failing[0];
    expect(shift).toEqual({ check: 'shift_letters("abc", -1) => "zab"', got: 'it gives "`ab"' });
    const sum = records.find(({ request }) => request === "shipping-sum");
    expect(sum?.tool).toMatchObject({ id: "sum_shipping_fees", calls: ["shipping_fee"] });
    expect(sum?.drafts.map(({ problem }) => problem)).toEqual([
      expect.stringContaining("@calls"),
      "",
    ]);
  });

  it("is right with the offline planner, which makes nothing, only if nothing can be made", async () => {
    const ids = ["slug", "live-temperature"];
    const { records } = await evaluate({ folder: temporaryFolder(), ids, model: OFFLINE_MODEL });
    expect(records.map(({ status, drafts }) => [status, drafts])).toEqual([
      ["unsolved", []],
      ["unsolved", []],
    ]);
    expect(records.every(({ answer }) => answer.includes("cannot write code"))).toBe(true);
    expect([...rowsOf(records).values()].map(({ right }) => right)).toEqual([false, true]);
  });

  it("makes no request twice, and drops a line that was cut short", async () => {
    const folder = temporaryFolder();
    const ids = ["slug"];
    await evaluate({ folder, ids });
    const before = linesIn(folder);
    appendFileSync(join(folder, "creation.jsonl"), '{"request":"roman-nu');
    const { records, made } = await evaluate({ folder, ids: ["slug", "live-temperature"] });
    expect(made).toEqual(["live-temperature"]);
    expect(records.map(({ request }) => request)).toEqual(["slug", "live-temperature"]);
    expect(linesIn(folder)).toEqual([before[0], expect.stringContaining("live-temperature")]);
  });

  it("refuses a folder with lines of another model, of other requests, or with none at all", async () => {
    const folder = temporaryFolder();
    const ids = ["live-temperature"];
    await evaluate({ folder, ids });
    await expect(evaluate({ folder, ids, model: OFFLINE_MODEL })).rejects.toThrow(
      /live-temperature as made by simulated:writer .* not what was asked for/,
    );
    const file = join(folder, "creation.jsonl");
    const line = readFileSync(file, "utf8");
    writeFileSync(file, line.replace(/"requestHash":"\w+"/, '"requestHash":"older"'));
    await expect(evaluate({ folder, ids })).rejects.toThrow(/not what was asked for/);
    writeFileSync(file, "no JSON\n");
    await expect(evaluate({ folder, ids })).rejects.toThrow(/creation\.jsonl:1 cannot be read/);
  });

  it("repeats requests that broke off, and ends if one after another does", async () => {
    let isDown = true;
    const { spec: model } = scriptedModel(() =>
      isDown ? new Error("no connection") : { stop: "I cannot.", solved: false },
    );
    const folder = temporaryFolder();
    const { records } = await evaluate({ folder, ids: ["slug", "weekday"], model });
    expect(records.map(({ error }) => error)).toEqual([
      expect.stringContaining("no connection"),
      expect.stringContaining("no connection"),
    ]);
    await expect(evaluate({ folder, ids: ["slug", "weekday", "duration"], model })).rejects.toThrow(
      /3 requests in a row broke off: .*no connection/,
    );
    isDown = false;
    const again = await evaluate({ folder, ids: ["slug"], model });
    expect(again.records.map(({ attempt, error }) => [attempt, error])).toEqual([[3, undefined]]);
    expect(rowsOf(again.records).get("slug")?.why).toBe("no draft: I cannot.");
  });

  it("stops between two requests, and asks no model that cannot be used", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    const folder = temporaryFolder();
    await expect(evaluate({ folder, ids: ["slug"], signal })).rejects.toThrow("enough");
    await expect(evaluate({ folder, ids: ["slug"], model: "nobody:1" })).rejects.toThrow(
      /unknown model provider "nobody"/,
    );
  });
});
