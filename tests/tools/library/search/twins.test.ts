import { afterEach, describe, expect, it } from "vitest";
import { wordEmbeddings } from "../../../fakes/wordEmbeddings.js";
import { tool, workshop } from "../support.js";

const shop = workshop();
afterEach(shop.clear);

const TEXT = `tell of any given whole number whether it has no divisors but one and itself, so that nobody
  can share such a pile of marbles fairly, however many friends come round or want to play along today`;

/** A tool whose text differs from that of others only in its name, one word of many. */
function prime(id: string, parameter = "number", description = TEXT) {
  const properties = { [parameter]: { type: "number" } };
  const parameters = { type: "object" as const, properties, required: [parameter] };
  return tool(id, { description, parameters });
}

const OTHERS = ["sing", "plot", "mail"].map((id) =>
  prime(id, "number", `does ${id}, which no other one of them does`),
);

async function searched(tools: ReturnType<typeof prime>[], topK = 9) {
  const library = await shop.openLibrary({ embeddings: wordEmbeddings({ dimensions: 1024 }) });
  await library.sync({ origin: "here", fingerprint: "1", tools: [...tools, ...OTHERS] });
  const { results } = await library.search({ phrases: ["whole number without divisors"], topK });
  return results[0]?.hits ?? [];
}

describe("tools that mean the same", () => {
  it("keep one good place, and each further one is farther behind", async () => {
    const hits = await searched(["prime", "primes", "primer"].map((id) => prime(id)));
    const [best, ...twins] = hits.filter(({ id }) => id.startsWith("prime"));
    expect(hits[0]).toEqual(best);
    expect(best).not.toHaveProperty("twinOf");
    expect(twins).toHaveLength(2);
    for (const twin of twins) expect(twin.twinOf).toBe(best?.id);
    const [second = 0, third = 0] = twins.map(({ score }) => score);
    expect((best?.score ?? 0) - second).toBeGreaterThanOrEqual(1);
    expect(second - third).toBeGreaterThanOrEqual(1);
  });

  it("come behind others if there are many of them", async () => {
    const copies = Array.from({ length: 10 }, (_, at) => prime(`prime_${"abcdefghij"[at] ?? ""}`));
    const hits = await searched(copies, 13);
    expect(hits).toHaveLength(13);
    for (const { twinOf } of hits.slice(-4)) expect(twinOf).toBe(hits[0]?.id);
  });
});

describe("tools that differ", () => {
  it("in their parameters are no twins", async () => {
    const hits = await searched([prime("prime"), prime("primes", "text")]);
    expect(hits.filter(({ twinOf }) => twinOf)).toEqual([]);
  });

  it("in what they say are no twins", async () => {
    const hits = await searched([prime("prime"), prime("divide", "number", "parts of a number")]);
    expect(hits.filter(({ twinOf }) => twinOf)).toEqual([]);
  });
});
