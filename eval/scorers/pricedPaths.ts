import type { Played } from "../benchmarks/costbench/player.js";
import { SHARE, type Scored, scoreOf, type Scorer } from "./scorer.js";

const COSTBENCH =
  "Liu et al. 2026, CostBench (arXiv:2511.02734), computed by the code of its repository: ";

/** Scores of CostBench: how near the calls of a run are to the cheapest chain. */
export const PATH_SCORERS: Scorer[] = [
  {
    id: "pathAnswer",
    label: "Right candidate",
    definition: "1 if the answer names the candidate that the request, as last changed, asks for.",
    source: `${COSTBENCH}final answer accuracy`,
    ...SHARE,
    score: ({ run }) => {
      const played = playedIn({ run });
      const digits = /Candidate\D{0,20}(\d{5})/.exec(run.answer)?.[1];
      return played && scoreOf(digits !== undefined && played.target.includes(digits));
    },
  },
  {
    id: "pathExact",
    label: "Cheapest chain (EM)",
    definition: "1 if the calls are those of the cheapest chain, in order, and reach the goal.",
    source: `${COSTBENCH}exact match`,
    ...SHARE,
    score: ({ run }) => scoreOf(playedIn({ run })?.scores.exact ?? undefined),
  },
  {
    id: "pathEdits",
    label: "Edit distance (NED)",
    definition:
      "Calls to add, leave out or replace until they are the cheapest chain, as a share of the longer; 1 if the goal is not reached.",
    source: `${COSTBENCH}normalized edit distance`,
    unit: "share",
    better: "lower",
    score: ({ run }) => playedIn({ run })?.scores.normalized ?? undefined,
  },
  {
    id: "costRatio",
    label: "Cost / least",
    definition: "What the calls cost, over the cheapest chain; only if the goal is reached.",
    source: `${COSTBENCH}cost ratio`,
    unit: "count",
    better: "lower",
    score: ({ run }) => {
      const { reached, cost, least } = playedIn({ run })?.scores ?? {};
      return reached && cost && least ? cost / least : undefined;
    },
  },
];

/** Undefined for other benchmarks, for runs without a call, and where the repository leaves a run out. */
function playedIn({ run }: Pick<Scored, "run">): Pick<Played, "target" | "scores"> | undefined {
  const { played } = (run.stateDiff ?? {}) as { played?: Pick<Played, "target" | "scores"> };
  return played?.scores?.valid ? played : undefined;
}
