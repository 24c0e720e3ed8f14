import { SHARE, type Score, type Scored, scoreOf, type Scorer } from "./scorer.js";

const COSTBENCH =
  "Liu et al. 2026, CostBench (arXiv:2511.02734), computed by the code of its repository: ";

/** What the repository says to the calls of a run; null where it gives no figure. Absent before the first call. */
interface PathVerdict {
  /** It counts: the event took place, and the cheapest chain is known. */
  valid?: boolean;
  reached?: boolean;
  exact?: boolean | null;
  normalized?: number | null;
  cost?: number | null;
  /** Cost of the cheapest chain. */
  least?: number | null;
  /** Has the digits of the right answer, after all events so far. */
  target?: string;
}

/** Scores that other benchmarks give themselves. Of CostBench: how near the calls of a run are to the cheapest chain. */
export const PUBLISHED_SCORERS: Scorer[] = [
  {
    id: "pathAnswer",
    label: "Right candidate",
    definition: "1 if the answer names the candidate that the request, as last changed, asks for.",
    source: `${COSTBENCH}final answer accuracy`,
    ...SHARE,
    score: onPath(({ target }, { run }) => {
      const digits = /Candidate\D{0,20}(\d{5})/.exec(run.answer)?.[1];
      return Number(digits !== undefined && target.includes(digits));
    }, 0),
  },
  {
    id: "pathExact",
    label: "Cheapest chain (EM)",
    definition: "1 if the calls are those of the cheapest chain, in order, and reach the goal.",
    source: `${COSTBENCH}exact match`,
    ...SHARE,
    score: onPath(({ exact }) => scoreOf(exact ?? undefined), 0),
  },
  {
    id: "pathEdits",
    label: "Edit distance (NED)",
    definition:
      "Calls to add, leave out or replace until they are the cheapest chain, as a share of the longer; 1 if the goal is not reached.",
    source: `${COSTBENCH}normalized edit distance`,
    unit: "share",
    better: "lower",
    score: onPath(({ normalized }) => normalized ?? undefined, 1),
  },
  {
    id: "costRatio",
    label: "Cost / least",
    definition: "What the calls cost, over the cheapest chain; only if the goal is reached.",
    source: `${COSTBENCH}cost ratio`,
    unit: "count",
    better: "lower",
    score: onPath(({ reached, cost, least }) =>
      reached && cost && least ? cost / least : undefined,
    ),
  },
  {
    id: "ownChecker",
    label: "Right by its own checker",
    definition:
      "1 if the checker of the benchmark's repository accepts what the calls came to, and all outputs of the task stand in the answer. A run without a call is not right.",
    source: "BFCL v4, multi-turn; τ-bench (Yao et al. 2024, arXiv:2406.12045), retail",
    ...SHARE,
    score: ({ task: { facts = [] }, run, benchmark }) => {
      if (!["bfcl", "tau"].includes(benchmark.world?.name ?? "")) return undefined;
      const answer = run.answer.replaceAll(",", "");
      return Number(
        run.stateDiff?.["right"] === true && facts.every((one) => answer.includes(one)),
      );
    },
  },
];

/**
 * A score of a run that counts for the repository, which leaves out those that no event came to. It leaves out those
 * without a call, too; here they count as `none`.
 */
function onPath(
  read: (played: Required<PathVerdict>, scored: Scored) => number | undefined,
  none?: number,
): Score {
  return (scored) => {
    if (scored.benchmark.world?.name !== "costbench") return undefined;
    const played = scored.run.stateDiff as PathVerdict | undefined;
    if (played?.target === undefined) return none;
    return played.valid ? read(played as Required<PathVerdict>, scored) : undefined;
  };
}
