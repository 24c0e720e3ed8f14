import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { closeWorkspaces } from "../../../nodes/workspace/workspace.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
// Registers the embeddings of the tests.
// oxlint-disable-next-line import/no-unassigned-import
import "../../fakes/testLibrary.js";
import { generate, joinSteps } from "./support.js";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tulipgraph-pairs-"));
  file = join(folder, "pairs.jsonl");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});
afterAll(closeWorkspaces);

describe("the file of pairs", () => {
  it.each([
    ["of another seed", { seed: 2 }, /line 1 is of the seed 1, not 2/],
    ["of another library", { library: "work" }, /line 1 is of the library math, not work/],
    [
      "of another method",
      { method: "persona" as const },
      /line 1 is of the method flow, not persona/,
    ],
  ])("is not gone on with where its pairs are %s.", async (_what, other, message) => {
    const model = scriptedModel(joinSteps).spec;
    await generate({ file, model, count: 1 });
    const before = readFileSync(file, "utf8");
    await expect(generate({ file, model, count: 2, ...other })).rejects.toThrow(message);
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it.each([
    ["of lines", "a list\nof things", /line 1 is not a generated pair/],
    ["of one line", "a list of things", /last line is not a generated pair/],
  ])("is left alone where it is something else %s.", async (_what, text, message) => {
    writeFileSync(file, text);
    const model = scriptedModel(joinSteps);
    await expect(generate({ file, model: model.spec, count: 1 })).rejects.toThrow(message);
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(model.questions).toEqual([]);
  });

  it("is not extended after something else has written to it.", async () => {
    const model = scriptedModel(joinSteps).spec;
    const onPair = () => appendFileSync(file, "mine\n");
    await expect(generate({ file, model, count: 2, onPair })).rejects.toThrow(
      /something else has written to it meanwhile/,
    );
    expect(readFileSync(file, "utf8")).toMatch(/\}\nmine\n$/);
  });

  it("must be in an existing folder, which is checked before a model is asked.", async () => {
    const model = scriptedModel(joinSteps);
    const nowhere = join(folder, "missing", "pairs.jsonl");
    await expect(generate({ file: nowhere, model: model.spec, count: 1 })).rejects.toThrow(
      /file of pairs .* cannot be used \(.*no such file/,
    );
    expect(existsSync(nowhere)).toBe(false);
    expect(model.questions).toEqual([]);
  });
});
