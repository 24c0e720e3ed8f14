import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openEmbeddings } from "../../models/embeddings.js";
import { loopTurns } from "../fakes/loopTurns.js";
import { startChild, temporaryFolder } from "../cli/support.js";
import { workIn } from "./installed.js";
import { REAL_ENCODER, realTransformers } from "./realTransformers.js";

const installed = realTransformers();
const SPEC = `transformers:${REAL_ENCODER}`;

function dot(one: number[], other: number[]): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}

describe.skipIf(installed === undefined)("MiniLM in a folder, with the real package", () => {
  beforeEach(() => workIn(installed ?? ""));

  it("places texts of like meaning nearer to each other than others", async () => {
    const embeddings = await openEmbeddings(SPEC);
    const [one = [], like = [], other = []] = await embeddings.embedDocuments([
      "area of a circle",
      "calculate how large a circle is",
      "book a flight to Paris",
    ]);
    expect(one).toHaveLength(384);
    expect(Math.hypot(...one)).toBeCloseTo(1, 6);
    expect(dot(one, like)).toBeGreaterThan(dot(one, other) + 0.3);
  });

  it("gives a text one vector, alone, as a query and in a batch of any size", async () => {
    const embeddings = await openEmbeddings(SPEC);
    const texts = Array.from({ length: 40 }, (_, at) => `${"add ".repeat(1 + (at % 9))}${at}`);
    const batch = await embeddings.embedDocuments(texts);
    // Another model to the cache of vectors, and the same weights.
    const alone = await openEmbeddings(`${SPEC}?pooling=mean`);
    for (const at of [0, 7, 39]) {
      expect(dot(batch[at] ?? [], await alone.embedQuery(texts[at] ?? ""))).toBeGreaterThan(0.999);
    }
  });

  it("takes texts of any length and script without blocking the event loop", async () => {
    const embeddings = await openEmbeddings(SPEC);
    const long = "find the invoice of march and send seven copies of it to alice ".repeat(2000);
    let vectors: number[][] = [];
    const turns = await loopTurns(async () => {
      vectors = await embeddings.embedDocuments([long, "", "円の面積", "👋", "مرحبا"]);
    });
    expect(turns).toBeGreaterThan(20);
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  it("searches a library from the command line, and the process ends by itself", async () => {
    const argv = ["tools", "search", "multiply two numbers", "--library", "math"];
    const env = {
      TULIPGRAPH_HOME: join(temporaryFolder(), "home"),
      TULIPGRAPH_EMBEDDINGS: SPEC,
    };
    const cwd = installed ?? "";
    const { code, stdout } = await startChild({
      argv: [...argv, "-k", "1", "--json"],
      env,
      cwd,
    }).ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ hits: [{ id: "multiply" }] });
  });
});
