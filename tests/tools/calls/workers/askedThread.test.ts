import { describe, expect, it } from "vitest";
import { ThreadFailed, askedThread } from "../../../../tools/calls/workers/askedThread.js";

const entry = new URL("./echo.js", import.meta.url);

describe("askedThread", () => {
  it("answers questions in order, in one thread", async () => {
    const ask = askedThread<(said: string) => string>(entry);
    const answers = await Promise.all([ask("slow"), ask("b"), ask("c")]);
    expect(answers).toEqual(["slow 1", "b 2", "c 3"]);
  });

  it("fails the question that makes the thread throw, and answers the others", async () => {
    const ask = askedThread<(said: string) => string>(entry);
    const [thrown, other] = await Promise.allSettled([ask("throw"), ask("b")]);
    expect(thrown).toMatchObject({ status: "rejected", reason: expect.any(ThreadFailed) });
    expect(thrown).toMatchObject({ reason: { message: "Error: no echo", isLoaded: true } });
    expect(other).toEqual({ status: "fulfilled", value: "b 1" });
  });

  it("fails all questions to a thread that ends, and starts another for the next one", async () => {
    const ask = askedThread<(said: string) => string>(entry);
    const ended = await Promise.allSettled([ask("end"), ask("b")]);
    for (const one of ended) {
      expect(one).toMatchObject({ status: "rejected", reason: expect.any(ThreadFailed) });
    }
    expect(await ask("c")).toBe("c 1");
  });

  it("reports that a thread could not be loaded", async () => {
    const ask = askedThread<(said: string) => string>(new URL("./missing.js", import.meta.url));
    await expect(ask("a")).rejects.toMatchObject({ name: "ThreadFailed", isLoaded: false });
    await expect(ask("b")).rejects.toMatchObject({ name: "ThreadFailed", isLoaded: false });
  });
});
