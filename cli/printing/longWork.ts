import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Presets, SingleBar } from "cli-progress";
import { LONG_WORK, type LongWork } from "../../common/longWork.js";
import { freeStream } from "./visibleControls.js";

/** How long work may take before it is shown, in milliseconds. */
const PATIENCE_MS = 1000;

/** Lines of progress if stderr is not a terminal. */
const STEPS = 10;

/** A bar, or lines. */
interface Display {
  update: (state: Shown) => void;
  stop: () => void;
}

type Shown = Pick<LongWork, "label" | "unit" | "done" | "total"> & { startedAt: number };

/**
 * Shows the progress of all work that takes longer than a second on stderr: on a terminal a bar that disappears at the
 * end, elsewhere a line for each tenth.
 */
export function showLongWork(): { stop: () => void } {
  const shown = new Map<LongWork, ReturnType<typeof shownLate>>();
  const listener = (message: unknown) => {
    const work = message as LongWork;
    const display = shown.get(work) ?? shownLate();
    shown.set(work, display);
    display.update(work);
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
function shownLate(): { update: (work: LongWork) => void; stop: () => void } {
  const startedAt = performance.now();
  let latest: Shown | undefined;
  let display: Display | undefined;
  const timer = setTimeout(() => {
    if (!latest) return;
    display = process.stderr.isTTY ? bar() : lines();
    display.update(latest);
  }, PATIENCE_MS);
  timer.unref();
  return {
    update: ({ label, unit, done, total }) => {
      latest = { label, unit, done, total, startedAt };
      display?.update(latest);
    },
    stop: () => {
      clearTimeout(timer);
      display?.stop();
    },
  };
}

function bar(): Display {
  const single = new SingleBar(
    {
      stream: freeStream(process.stderr),
      format: "{label} {bar} {words}",
      barsize: 20,
      clearOnComplete: true,
      emptyOnZero: true,
      // Ctrl-C may simply end the process: what is embedded or fetched is kept.
      gracefulExit: false,
      linewrap: true,
    },
    Presets.shades_classic,
  );
  return {
    update: (state) => {
      const payload = { label: state.label, words: wordsOf(state) };
      if (!single.isActive) single.start(state.total, state.done, payload);
      single.setTotal(state.total);
      single.update(state.done, payload);
    },
    stop: () => single.stop(),
  };
}

function lines(): Display {
  let printed = -1;
  return {
    update: (state) => {
      const { label, done, total } = state;
      const step = total > 0 ? Math.floor((done * STEPS) / total) : 0;
      if (step === printed) return;
      printed = step;
      process.stderr.write(`${label}: ${wordsOf(state)}\n`);
    },
    stop: () => undefined,
  };
}

/** "1280/16000 texts · 187/s · 79 s left" */
function wordsOf({ unit, done, total, startedAt }: Shown): string {
  const perSecond = (done * 1000) / (performance.now() - startedAt);
  const amount = unit === "bytes" ? megabytes : String;
  const name = unit === "bytes" ? "MB" : unit;
  const words = [
    total > 0 ? `${amount(done)}/${amount(total)} ${name}` : `${amount(done)} ${name}`,
    done > 0 ? `${unit === "bytes" ? `${megabytes(perSecond)} MB` : rate(perSecond)}/s` : "",
    done > 0 && done < total ? `${timeText((total - done) / perSecond)} left` : "",
  ];
  return words.filter(Boolean).join(" · ");
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function rate(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : perSecond.toFixed(0);
}

/** A duration in rounded units: "79 s", "5 min", "2 h 10 min". */
export function timeText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.round(whole / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Does a step of set-up, and announces it on stderr if it takes longer than a second. */
export async function whileWorking<Result>(
  label: string,
  work: () => Promise<Result>,
): Promise<Result> {
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
