import { Socket } from "node:net";
import { vi } from "vitest";

/** The shortest wait that is hurried: what is shorter is not worth it, or has to be as long as it is. */
const LEAST_MS = 1_000;

/**
 * Makes long waits of this process take a part of their time until mocks are restored, which they are after a file:
 * pauses, intervals, time limits, and how long a connection may be silent. All else is real.
 *
 * @param times how much sooner they end
 * @param longestMs waits that are longer take their time, such as that for a model's reply
 */
export function hurry({ times, longestMs }: { times: number; longestMs: number }): void {
  const hurried = (ms = 0) =>
    ms >= LEAST_MS && ms <= longestMs ? Math.ceil(ms / times) : ms;
  for (const name of ["setTimeout", "setInterval"] as const) {
    const original = globalThis[name] as (...args: unknown[]) => unknown;
    const start = (run: unknown, ms?: number, ...args: unknown[]) =>
      original(run, hurried(ms), ...args);
    vi.spyOn(globalThis, name).mockImplementation(start as never);
  }
  const timeLimit = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeLimit(hurried(ms)));
  // oxlint-disable-next-line typescript/unbound-method
  const letBeSilent = Socket.prototype.setTimeout;
  vi.spyOn(Socket.prototype, "setTimeout").mockImplementation(function (this: Socket, ms, told) {
    return letBeSilent.call(this, hurried(ms), told);
  });
}
