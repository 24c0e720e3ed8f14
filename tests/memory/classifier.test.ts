import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ModelFailed } from "../../common/errors.js";
import {
  CLASSIFIER_VERSION,
  type JudgeClassifier,
  classifierFile,
  classifyCalls,
  featureCount,
  openClassifier,
  saveClassifier,
} from "../../memory/classifier.js";
import { wordEmbeddings } from "../fakes/wordEmbeddings.js";
import { pastCall } from "./pastCallFixture.js";

const DIMENSION = 16;

const embeddings = { name: "fake:words", embeddings: wordEmbeddings({ dimensions: DIMENSION }) };

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tulipgraph-classifier-"));
});
afterEach(() => rmSync(home, { recursive: true }));

describe("a classifier of helpful calls", () => {
  it("sees the first 1024 characters of a result only, its white space made blanks", async () => {
    const model = wordEmbeddings({ dimensions: DIMENSION });
    const call = pastCall({ result: `a\n\n b ${"c".repeat(5000)}` });
    await classifyCalls({
      classifier: classifier({}),
      calls: [call],
      embeddings: { name: "fake:words", embeddings: model },
    });
    expect(model.calls[0]?.[2]).toBe(`a b ${"c".repeat(1020)}`);
  });

  it("refuses vectors of another length than it was trained with", async () => {
    const other = { name: "fake:words", embeddings: wordEmbeddings({ dimensions: 8 }) };
    const asked = classifyCalls({
      classifier: classifier({}),
      calls: [pastCall()],
      embeddings: other,
    });
    await expect(asked).rejects.toThrow(ModelFailed);
  });
});

describe("the file of a classifier", () => {
  it("is stored in the home, one per embedding model, and leaves no partial file behind", () => {
    const file = saveClassifier({ home, classifier: classifier({}) });
    saveClassifier({ home, classifier: classifier({ bias: 2 }) });
    saveClassifier({ home, classifier: classifier({ embeddings: "openai:other" }) });
    expect(file).toBe(classifierFile({ home, embeddings: embeddings.name }));
    expect(readdirSync(dirname(file))).toHaveLength(2);
    expect(openClassifier({ home, embeddings: embeddings.name }).bias).toBe(2);
  });

  it("is asked for in one line if missing", () => {
    expect(() => openClassifier({ home, embeddings: "fake:words" })).toThrow(
      /^judge: "classifier" cannot be used: no classifier has been trained for the embeddings fake:words\. Train one with: TULIPGRAPH_EMBEDDINGS=fake:words tulipgraph train judge; or set judge to rule or model$/,
    );
  });

  it.each([
    ["text that is not JSON", "{"],
    ["another version", JSON.stringify({ ...classifier({}), version: 0 })],
    ["too few weights", JSON.stringify({ ...classifier({}), weights: [1] })],
    ["another embedding model", JSON.stringify(classifier({ embeddings: "openai:other" }))],
  ])("cannot be used with %s in it", (_what, text) => {
    const file = saveClassifier({ home, classifier: classifier({}) });
    writeFileSync(file, text);
    expect(() => openClassifier({ home, embeddings: embeddings.name })).toThrow(
      /is not a classifier of this version\. Train one with/,
    );
  });
});

function classifier(more: Partial<JudgeClassifier>): JudgeClassifier {
  return {
    version: CLASSIFIER_VERSION,
    embeddings: embeddings.name,
    dimension: DIMENSION,
    seed: 1,
    figures: {
      train: 7,
      heldOut: 3,
      precision: null,
      recall: 0.5,
      accuracy: 1 / 3,
      positives: 2,
      baseRate: 2 / 3,
    },
    weights: Array.from({ length: featureCount(DIMENSION) }, () => 0),
    bias: 1,
    ...more,
  };
}
