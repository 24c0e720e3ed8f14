import { beforeAll, describe, expect, it, vi } from "vitest";
import { ask } from "../../models/chat/ask.js";
import { openEmbeddings } from "../../models/embeddings/embeddings.js";
import { hurry } from "../fakes/hurriedTime.js";
import { actQuestion, openAiEndpoint, rejectionOf } from "./support.js";

// The time for a request is real: it cannot be over before an answer that is on its way has come.
beforeAll(() => hurry([1_000, 15_000], 1_000));

const busy = { status: 429, body: { error: { message: "too many requests" } } };
const broken = { status: 500, body: { error: { message: "internal error" } } };

describe("a failed request", () => {
  it.each([
    ["an error of the server", broken],
    ["a rate limit", busy],
    ["a server that is starting", { status: 503, body: "loading model" }],
  ])("is tried again after %s", async (_what, failure) => {
    const { bodies } = await openAiEndpoint([failure, failure, { content: "5" }]);
    const value = await ask(actQuestion());
    expect(value).toHaveProperty("reply.text", "5");
    expect(value).toHaveProperty("used.modelCalls", 1);
    expect(bodies).toHaveLength(3);
  });

  it("is given up after four tries, with the provider's words", async () => {
    const { bodies } = await openAiEndpoint({ ...busy, headers: { "retry-after": "1" } });
    const error = await rejectionOf(ask(actQuestion()));
    expect(error.name).toBe("ModelFailed");
    expect(error.message).toContain("(HTTP 429): too many requests");
    expect(bodies).toHaveLength(4);
  });

  it("is not tried again before the provider allows it", async () => {
    const headers = { "retry-after": "12" };
    const { bodies } = await openAiEndpoint([{ ...busy, headers }, { content: "5" }]);
    await ask(actQuestion());
    expect(vi.mocked(setTimeout).mock.calls.map(([, ms]) => ms)).toContain(12_000);
    expect(bodies).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 422])("is not tried again after HTTP %i", async (status) => {
    const { bodies } = await openAiEndpoint({ status, body: { error: { message: "no" } } });
    await rejectionOf(ask(actQuestion()));
    expect(bodies).toHaveLength(1);
  });

  it("is also retried for embeddings", async () => {
    const { bodies } = await openAiEndpoint([broken, { embeddings: [[1, 0]] }]);
    const embeddings = await openEmbeddings("openai:text-embedding-3-small");
    const value = await embeddings.embedDocuments(["add"]);
    expect(value).toEqual([[1, 0]]);
    expect(bodies).toHaveLength(2);
  });
});
