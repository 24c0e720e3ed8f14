import { Socket } from "node:net";
import { vi } from "vitest";

/**
 * Makes long waits of this process take a part of their time until mocks are restored, which they are after a file:
 * pauses, intervals, time limits, and how long a connection may be silent. All else is real.
 *
 * @param waits the shortest and the longest that are hurried, in milliseconds
 * @param times how much sooner they end
 */
export function hurry([from, to]: [from: number, to: number], times: number): void {
  const hurried = (ms = 0) => (ms >= from && ms <= to ? Math.ceil(ms / times) : ms);
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
