import {
  MADE_TOOLS,
  type MadeTools,
  type WantedTools,
} from "../benchmarks/creation/compareMadeTools.js";
import { scoreOf, type Scored, type Scorer } from "./scorer.js";

const OURS = "tulipgraph's benchmark `creation` (docs/creation.md)";

/** How well tools were made. Undefined if a run was not asked for a tool. */
export const CREATION_SCORERS: Scorer[] = [
  {
    id: "toolMade",
    label: "Tool made",
    definition: "For requests that want a tool or a new version of one: 1 if one was made.",
    source: OURS,
    unit: "share",
    better: "higher",
    score: (scored) => {
      const { wanted, made } = creationOf(scored) ?? {};
      const isWanted = wanted?.kind === "create" || wanted?.kind === "update";
      return scoreOf(isWanted ? made?.edits.some(({ outcome }) => outcome === "done") : undefined);
    },
  },
  {
    id: "hiddenChecks",
    label: "Hidden checks passed",
    definition:
      "The share of the hidden calls that the tool answers as it should; 0 if there is no tool. Undefined if no tool is wanted.",
    source: OURS,
    unit: "share",
    better: "higher",
    score: (scored) => {
      const { checks = 0, made } = creationOf(scored) ?? {};
      return made && checks > 0 ? made.passed / checks : undefined;
    },
  },
  {
    id: "drafts",
    label: "Drafts",
    definition: "Replies with the code of a tool, for each tool that was made.",
    source: OURS,
    unit: "count",
    better: "lower",
    score: (scored) => {
      const edits = creationOf(scored)?.made.edits ?? [];
      const done = edits.filter(({ outcome }) => outcome === "done").length;
      const failed = edits.reduce((sum, { failures }) => sum + failures, 0);
      return done > 0 ? (failed + done) / done : undefined;
    },
  },
];

function creationOf({ task, run, benchmark: { world } }: Scored) {
  if (world?.name !== MADE_TOOLS || !task.stateDiff || !run.stateDiff) return undefined;
  const { wanted, checks } = task.stateDiff as unknown as WantedTools;
  return { wanted, checks, made: run.stateDiff as unknown as MadeTools };
}
