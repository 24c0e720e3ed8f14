import type { CommandForm } from "../command.js";
import { FROM_THREADS } from "../eval/fromThreads.js";
import { GENERATE } from "../eval/generate.js";
import { REPORT } from "../eval/report.js";
import { RETRIEVAL } from "../eval/retrieval.js";
import { RUN } from "../eval/run.js";

/** `tulipgraph eval run | report | from-threads | generate | retrieval` */
export const EVAL: CommandForm = {
  about: "Run benchmarks; compare graphs, settings and budgets; measure retrieval",
  examples: [
    "tulipgraph eval run --benchmark math --graphs base,cot_tulip --out results/math",
    "tulipgraph eval report results/math",
  ],
  commands: {
    run: RUN,
    report: REPORT,
    "from-threads": FROM_THREADS,
    generate: GENERATE,
    retrieval: RETRIEVAL,
  },
};
