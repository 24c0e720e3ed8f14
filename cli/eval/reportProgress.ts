import { Presets, SingleBar } from "cli-progress";
import { timeText } from "../printing/longWork.js";
import { freeStream } from "../printing/visibleControls.js";
import type { Progress } from "../../eval/runs/batch.js";

/** Milliseconds between two lines if stderr is not a terminal. */
const LINE_MS = 10_000;

/** Shows the progress of a batch on stderr: a bar on a terminal, a line now and then elsewhere. */
export function reportProgress(): { update: (progress: Progress) => void; stop: () => void } {
  return process.stderr.isTTY ? progressBar() : progressLines();
}

function progressBar() {
  const bar = new SingleBar(
    {
      stream: freeStream(process.stderr),
      format: "{bar} {value}/{total} runs{rest}",
      barsize: 24,
      hideCursor: true,
      clearOnComplete: false,
    },
    Presets.shades_classic,
  );
  const rates = rateOf();
  let started = false;
  return {
    update(progress: Progress) {
      if (!started) bar.start(progress.total, progress.done, wordsOf(progress, rates(progress)));
      started = true;
      bar.update(progress.done, wordsOf(progress, rates(progress)));
    },
    stop: () => bar.stop(),
  };
}

function progressLines() {
  const rates = rateOf();
  let printedAt = Date.now();
  let hasEnded = false;
  return {
    update(progress: Progress) {
      const rate = rates(progress);
      const { done, total } = progress;
      if (hasEnded || (Date.now() - printedAt < LINE_MS && done < total)) return;
      printedAt = Date.now();
      hasEnded = done >= total;
      process.stderr.write(`${done}/${total} runs${wordsOf(progress, rate).rest}\n`);
    },
    stop: () => undefined,
  };
}

/** Runs per second, counting those of this process since now. */
function rateOf() {
  const startedAt = performance.now();
  return ({ doneNow }: Progress) => (doneNow * 1000) / (performance.now() - startedAt);
}

/** The text after the number of runs. */
function wordsOf({ done, total, usd, failed }: Progress, perSecond: number) {
  const known = perSecond > 0;
  const words = [
    failed > 0 ? `${failed} broke off` : "",
    known ? `${(perSecond * 60).toFixed(1)}/min` : "",
    known && done < total ? `${timeText((total - done) / perSecond)} left` : "",
    `$${usd.toFixed(4)}`,
  ];
  return {
    rest: words
      .filter(Boolean)
      .map((word) => ` · ${word}`)
      .join(""),
  };
}
