import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { showLongWork } from "../../../cli/printing/longWork.js";
import { tellingProgress } from "../../../common/longWork.js";

/** The output on stderr. */
let printed = "";

beforeEach(() => {
  printed = "";
  vi.useFakeTimers();
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const WORK = { label: "embedding", unit: "texts", total: 400 } as const;

/** Works on texts in four steps, a stretch of time before each. */
async function workFor(ms: number, work: typeof WORK = WORK): Promise<void> {
  const display = showLongWork();
  await tellingProgress(work, async (tell) => {
    for (const done of [100, 200, 300, 400]) {
      await vi.advanceTimersByTimeAsync(ms);
      tell({ done });
    }
  });
  display.stop();
}

describe("long work", () => {
  it("says after that how much is done, how fast, and how long the rest will take", async () => {
    await workFor(2000);
    expect(printed).toBe(
      [
        "embedding: 0/400 texts",
        "embedding: 100/400 texts · 50/s · 6 s left",
        "embedding: 200/400 texts · 50/s · 4 s left",
        "embedding: 300/400 texts · 50/s · 2 s left",
        "embedding: 400/400 texts · 50/s",
        "",
      ].join("\n"),
    );
  });

  it("of unknown size says how much has come", async () => {
    const display = showLongWork();
    await tellingProgress({ label: "downloading", unit: "bytes", total: 0 }, async (tell) => {
      await vi.advanceTimersByTimeAsync(2000);
      tell({ done: 3_000_000, total: 24_000_000 });
    });
    display.stop();
    expect(printed).toBe("downloading: 0.0 MB\ndownloading: 3.0/24.0 MB · 1.5 MB/s · 14 s left\n");
  });
});
