import { CONTROL_NAMES } from "../../../tools/control.js";
import type { Scored, Scorer } from "../scorer.js";
import { solutionOf } from "../solution.js";
import { type Hallucination, type WantedCall, valueOrigins } from "./hallucinations.js";
import { AGENT_007 } from "./givenSolutions.js";

/**
 * What a run made up. All calls that the model wanted are judged, since a call of an unknown tool is never carried out;
 * for a mere plan, all its steps. Undefined if the tools are unknown.
 */
export const HALLUCINATION_SCORERS: Scorer[] = [
  {
    id: "hallucinationRate",
    label: "Hallucinations (HR)",
    definition:
      "Argument values with nothing behind them (an unknown tool or argument, a reference to a step that is not before it, a literal that is not derivable), as a share of all argument values; refused and failed calls count, control tools do not; 0 without a call.",
    source: AGENT_007,
    unit: "share",
    better: "lower",
    score: (scored) => {
      const origins = originsOf(scored);
      if (!origins) return undefined;
      return origins.filter(Boolean).length / Math.max(1, origins.length);
    },
  },
  {
    ...counted("tool"),
    id: "unknownTools",
    label: "Values for unknown tools",
    definition:
      "Argument values in calls of tools that do not exist; a call without arguments counts as one.",
  },
  {
    ...counted("argument"),
    id: "unknownArguments",
    label: "Unknown arguments",
    definition: "Argument values under a name that the tool has no argument of.",
  },
  {
    ...counted("reference"),
    id: "forwardReferences",
    label: "References to later steps",
    definition: "Argument values that refer to the output of their own step or of a later one.",
  },
  {
    ...counted("value"),
    id: "underivableValues",
    label: "Values from nowhere",
    definition:
      "Argument values with a number or a word that is neither in the request and its background, nor in the tool's description and the argument's schema, nor in the results of earlier calls; what has to be worked out counts among these.",
  },
];

function counted(kind: Hallucination): Pick<Scorer, "source" | "unit" | "better" | "score"> {
  return {
    source: `${AGENT_007}, parts of HR`,
    unit: "count",
    better: "lower",
    score: (scored) => originsOf(scored)?.filter((origin) => origin === kind).length,
  };
}

type Origins = (Hallucination | undefined)[];

/** A cache, because five scores need the same analysis, which splits long results into words. */
const READ = new WeakMap<Scored, Origins>();

function originsOf(scored: Scored): Origins | undefined {
  const { task, run, tools } = scored;
  if (!tools) return undefined;
  const known = READ.get(scored);
  if (known) return known;
  const { background = "" } = run.settings;
  const origins = valueOrigins({
    texts: [task.query, String(background)],
    calls: wantedCalls(run),
    tools,
  });
  READ.set(scored, origins);
  return origins;
}

/** The steps of a mere plan, otherwise the calls. */
function wantedCalls(run: Scored["run"]): WantedCall[] {
  const { calls, isPlanned } = solutionOf(run);
  if (isPlanned) return [...calls];
  return run.calls
    .filter(({ tool }) => !CONTROL_NAMES.includes(tool))
    .map((call) => ({ ...call, isMade: !call.refused }));
}
