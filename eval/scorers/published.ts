import { type Score, type Scored, scoreOf, type Scores } from "./scorer.js";

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
export const PUBLISHED_SCORES = {
  pathAnswer: onPath(({ target }, { run }) => {
    const digits = /Candidate\D{0,20}(\d{5})/.exec(run.answer)?.[1];
    return Number(digits !== undefined && target.includes(digits));
  }, 0),
  pathExact: onPath(({ exact }) => scoreOf(exact ?? undefined), 0),
  pathEdits: onPath(({ normalized }) => normalized ?? undefined, 1),
  costRatio: onPath(({ reached, cost, least }) =>
    reached && cost && least ? cost / least : undefined,
  ),
  ownChecker: ({ task: { facts = [], rightWithoutCalls = false }, run, benchmark }) => {
    if (!["bfcl", "tau"].includes(benchmark.world?.name ?? "")) return undefined;
    const answer = run.answer.replaceAll(",", "");
    const right = run.stateDiff?.["right"] ?? rightWithoutCalls;
    return Number(right === true && facts.every((one) => answer.includes(one)));
  },
} satisfies Scores;

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
