import { HandedOver } from "../../../common/orAborted.js";

type EndReason = "timeout" | "deadline" | "cancelled";

/** Watches one call's time-out and the run's deadline and cancellation. */
export type CallClock = ReturnType<typeof startClock>;

/** Time limit in milliseconds for a call that goes on at its other side, whatever becomes of this process. */
export const MOST_TASK_MS = 24 * 60 * 60 * 1_000;

/** Node fires longer timers immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Starts the clock of a call.
 *
 * @param request.since when the calls of the message began, in milliseconds since 1970, so that waiting for
 * each other does not add up time-outs
 * @param request.deadline end of the run's time, in milliseconds since 1970
 */
export function startClock(request: {
  since: number;
  timeoutMs: number;
  deadline?: number;
  signal?: AbortSignal;
}) {
  const { since, timeoutMs, deadline, signal } = request;
  const controller = new AbortController();
  let reason: EndReason | undefined;
  const end = (why: EndReason) => {
    reason ??= why;
    stop();
    // Whoever has stopped the run may have said why.
    controller.abort(signal?.reason instanceof HandedOver ? signal.reason : new Error(why));
  };
  let limitMs = timeoutMs;
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
  const extend = () => {
    hold();
    limitMs = left = MOST_TASK_MS;
    go();
  };
  if (signal?.aborted) cancel();
  else if (deadline !== undefined && deadline <= Date.now()) end("deadline");
  else signal?.addEventListener("abort", cancel, { once: true });
  return {
    /** Aborted when the call must end. */
    signal: controller.signal,
    reason: () => reason,
    /** How long the call may take, in milliseconds. */
    limitMs: () => limitMs,
    /** Gives it the time of a task. */
    extend,
    /** Pauses the time-out for time the tool is not responsible for (loading its file). */
    hold,
    go,
    stop,
  };
}

function startTimer(ms: number, end: () => void): NodeJS.Timeout {
  return setTimeout(end, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
}
