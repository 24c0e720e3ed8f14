import { describe, expect, it, onTestFinished, vi } from "vitest";
import { sharedPauses } from "../../../eval/runs/runTask.js";

describe("a pause that a provider has asked for", () => {
  it.each([
    ["forwards", 3_600_000],
    ["back", -3_600_000],
  ])("is as long as it was asked for where the clock is set %s meanwhile", async (_way, ms) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const pauses = sharedPauses();
    const begunAt = performance.now();
    pauses.begin(30);
    vi.setSystemTime(Date.now() + ms);
    await pauses.wait(new AbortController().signal);
    // All 30, except for rounding.
    expect(performance.now() - begunAt).toBeGreaterThan(29.999);
  });
});
