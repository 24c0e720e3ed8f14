import { Presets, SingleBar } from "cli-progress";
import { freeStream } from "../visibleControls.js";
import type { EmbeddingListener } from "../../models/embeddingCache.js";

/** Steps of lines where stderr is no terminal. */
const STEPS = 10;

/** Shows how much is embedded: a bar on a terminal, a line for each tenth elsewhere; both on stderr. */
export function embeddingProgress(): { update: EmbeddingListener; stop: () => void } {
  return process.stderr.isTTY ? progressBar() : progressLines();
}

function progressBar() {
  const bar = new SingleBar(
    {
      stream: freeStream(process.stderr),
      format: "embedding {bar} {value}/{total} texts · {eta_formatted} left",
      barsize: 24,
      // What is embedded is kept, so Ctrl-C may simply end the process.
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
  return {
    update: ({ done, total }: Parameters<EmbeddingListener>[0]) => {
      if (!bar.isActive) bar.start(total, 0);
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}

function progressLines() {
  let printed = 0;
  return {
    update: ({ done, total }: Parameters<EmbeddingListener>[0]) => {
      const step = Math.floor((done * STEPS) / total);
      if (step > printed) process.stderr.write(`embedding: ${done}/${total} texts\n`);
      printed = step;
    },
    stop: () => undefined,
  };
}
