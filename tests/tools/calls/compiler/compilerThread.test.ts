import { expect, it } from "vitest";
import { askCompiler } from "../../../../tools/calls/compiler/compilerThread.js";

const module = `data:text/javascript,${encodeURIComponent(`
  export const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  export const work = () => { for (;;); };
`)}`;

const asked = (reader: string, ...given: unknown[]) =>
  askCompiler({ question: { module, reader, given }, timeoutMs: 500 });

it("has as long as it takes while it does not get the processor, and ends what uses it up", async () => {
  expect(await asked("wait", 1_200)).toEqual({ reading: "timed-out" });
  expect(await asked("work")).toEqual({ met: "time" });
});

it("ends by the clock, too", async () => {
  const question = { module, reader: "wait", given: [60_000] };
  expect(await askCompiler({ question, timeoutMs: 50 })).toEqual({ met: "time" });
});
