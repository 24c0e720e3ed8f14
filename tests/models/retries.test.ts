import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ask } from "../../models/ask.js";
import { openEmbeddings } from "../../models/embeddings.js";
import { actQuestion, openAiEndpoint, rejectionOf } from "./support.js";

// The pauses between tries are cut short; the requests themselves are real.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The promise's outcome, with pauses that take no time. */
async function withoutPauses<Value>(promise: Promise<Value>): Promise<Value> {
  const state = { settled: false };
  const done = promise.finally(() => {
    state.settled = true;
  });
  done.catch(() => "is dealt with by whoever waits for it");
  while (!state.settled) {
    // Turns of the event loop let the requests go on.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(1000);
  }
  return await done;
}

const busy = { status: 429, body: { error: { message: "too many requests" } } };
const broken = { status: 500, body: { error: { message: "internal error" } } };

describe("a failed request", () => {
  it.each([
    ["an error of the server", broken],
    ["a rate limit", busy],
    ["a server that is starting", { status: 503, body: "loading model" }],
  ])("is tried again after %s", async (_what, failure) => {
    const { bodies } = await openAiEndpoint([failure, failure, { content: "5" }]);
    const value = await withoutPauses(ask(actQuestion()));
    expect(value).toHaveProperty("reply.text", "5");
    expect(value).toHaveProperty("used.modelCalls", 1);
    expect(bodies).toHaveLength(3);
  });

  it("is given up after four tries, with the provider's words", async () => {
    const { bodies } = await openAiEndpoint({ ...busy, headers: { "retry-after": "1" } });
    const error = await rejectionOf(withoutPauses(ask(actQuestion())));
    expect(error.name).toBe("ModelFailed");
    expect(error.message).toContain("(HTTP 429): too many requests");
    expect(bodies).toHaveLength(4);
  });

  it("is not tried again before the provider wants it", async () => {
    const headers = { "retry-after": "12" };
    const { bodies } = await openAiEndpoint([{ ...busy, headers }, { content: "5" }]);
    const timers = vi.spyOn(globalThis, "setTimeout");
    await withoutPauses(ask(actQuestion()));
    expect(timers.mock.calls.map(([, ms]) => ms)).toContain(12_000);
    expect(bodies).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 422])("is not tried again after HTTP %i", async (status) => {
    const { bodies } = await openAiEndpoint({ status, body: { error: { message: "no" } } });
    await rejectionOf(withoutPauses(ask(actQuestion())));
    expect(bodies).toHaveLength(1);
  });

  it("is tried again for embeddings, too", async () => {
    const { bodies } = await openAiEndpoint([broken, { embeddings: [[1, 0]] }]);
    const embeddings = await openEmbeddings("openai:text-embedding-3-small");
    const value = await withoutPauses(embeddings.embedDocuments(["add"]));
    expect(value).toEqual([[1, 0]]);
    expect(bodies).toHaveLength(2);
  });
});
