/** Why a call was ended from outside. */
export type EndReason = "timeout" | "deadline" | "cancelled";

/** Watches over one call: its time-out, the run's deadline and the run's cancellation. */
export interface CallClock {
  /** Aborted when the call has to end. */
  signal: AbortSignal;
  /** Why the signal was aborted. */
  reason: () => EndReason | undefined;
  /** Stops the time-out while what is under way is not the tool's own doing (loading its file). */
  hold: () => void;
  /** Lets the time-out run on. */
  go: () => void;
  /** Ends the watch. */
  stop: () => void;
}

/** Node fires longer timers at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Starts the clock of a call.
 *
 * @param request.since when the calls of the message were begun together, in milliseconds since 1970:
 * waiting for each other does not add up time-outs
 * @param request.deadline end of the run's time, in milliseconds since 1970
 */
export function startClock({
  since,
  timeoutMs,
  deadline,
  signal,
}: {
  since: number;
  timeoutMs: number;
  deadline?: number;
  signal?: AbortSignal;
}): CallClock {
  const controller = new AbortController();
  let reason: EndReason | undefined;
  const end = (why: EndReason) => {
    reason ??= why;
    stop();
    controller.abort(new Error(why));
  };
  let left = since + timeoutMs - Date.now();
  let runningSince = Date.now();
  let timer = startTimer(left, () => end("timeout"));
  const deadlineTimer =
    deadline === undefined ? undefined : startTimer(deadline - Date.now(), () => end("deadline"));
  const cancel = () => end("cancelled");
  const stop = () => {
    clearTimeout(timer);
    clearTimeout(deadlineTimer);
    signal?.removeEventListener("abort", cancel);
  };
  const hold = () => {
    clearTimeout(timer);
    left -= Date.now() - runningSince;
  };
  const go = () => {
    if (controller.signal.aborted) return;
    runningSince = Date.now();
    timer = startTimer(left, () => end("timeout"));
  };
  if (signal?.aborted) cancel();
  else if (deadline !== undefined && deadline <= Date.now()) end("deadline");
  else signal?.addEventListener("abort", cancel, { once: true });
  return { signal: controller.signal, reason: () => reason, hold, go, stop };
}

function startTimer(ms: number, end: () => void): NodeJS.Timeout {
  return setTimeout(end, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
}
