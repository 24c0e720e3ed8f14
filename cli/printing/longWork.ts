import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { LONG_WORK, type LongWork } from "../../common/longWork.js";

/** How long work may take before it is shown, in milliseconds. */
const PATIENCE_MS = 1000;

const STEPS = 10;

/** A line comes after this time even if the work has not come a tenth further, in milliseconds. */
const LONGEST_SILENCE_MS = 60_000;

/** Shows the progress of all work that takes longer than a second on stderr, by a line for each tenth, or a minute. */
export function showLongWork(): { stop: () => void } {
  const shown = new Map<LongWork, ReturnType<typeof shownLate>>();
  const listener = (message: unknown) => {
    const work = message as LongWork;
    const display = shown.get(work) ?? shownLate(work);
    shown.set(work, display);
    display.update();
    if (!work.hasEnded) return;
    display.stop();
    shown.delete(work);
  };
  subscribe(LONG_WORK, listener);
  return {
    stop() {
      unsubscribe(LONG_WORK, listener);
      for (const { stop } of shown.values()) stop();
    },
  };
}

/** Shows work once it has taken a second, even if it reports nothing new then. */
function shownLate(work: LongWork): { update: () => void; stop: () => void } {
  const startedAt = performance.now();
  let printed: number | undefined;
  let printedAt = startedAt;
  const print = () => {
    const step = work.total > 0 ? Math.floor((work.done * STEPS) / work.total) : 0;
    const now = performance.now();
    if (step === printed && now - printedAt < LONGEST_SILENCE_MS) return;
    printed = step;
    printedAt = now;
    process.stderr.write(`${work.label}: ${wordsOf(work, startedAt)}\n`);
  };
  const timer = setTimeout(print, PATIENCE_MS);
  timer.unref();
  return {
    update: () => {
      if (printed !== undefined) print();
    },
    stop: () => clearTimeout(timer),
  };
}

/** "1280/16000 texts · 187/s · 79 s left" */
function wordsOf({ unit, done, total, note = "" }: LongWork, startedAt: number): string {
  const perSecond = (done * 1000) / (performance.now() - startedAt);
  const isBytes = unit === "bytes";
  const amount = isBytes ? megabytes : String;
  const name = isBytes ? "MB" : unit;
  const rate = isBytes ? `${megabytes(perSecond)} MB` : perSecond.toFixed(perSecond < 10 ? 1 : 0);
  const words = [
    total > 0 ? `${amount(done)}/${amount(total)} ${name}` : `${amount(done)} ${name}`,
    done > 0 ? `${rate}/s` : "",
    done > 0 && done < total ? `${timeText((total - done) / perSecond)} left` : "",
    note,
  ];
  return words.filter(Boolean).join(" · ");
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

/** A duration in rounded units: "79 s", "5 min", "2 h 10 min". */
export function timeText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.round(whole / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Does a step of set-up, and announces it on stderr if it takes longer than a second. */
export async function whileWorking<Result>(label: string, work: () => Promise<Result>) {
  const started = performance.now();
  let announced = false;
  const timer = setTimeout(() => {
    announced = true;
    process.stderr.write(`${label} …\n`);
  }, PATIENCE_MS);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    if (announced) process.stderr.write(`${label}: ${seconds} s\n`);
  }
}
