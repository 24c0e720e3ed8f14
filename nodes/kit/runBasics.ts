import { SystemMessage } from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { Settings } from "../../state/settings.js";
import { earlierTurns } from "../../state/history.js";
import type { GraphState } from "../../state/state.js";
import { CATALOGS } from "../../tools/catalogs/index.js";
import { BEHALF_KEY, type Behalf, LOCAL } from "../../tools/remote.js";
import { ASKS_KEY } from "../../home/workspace.js";
import type { RunBasics } from "./stageInputs.js";
import { HOLD_KEY } from "../../tools/calls/journal/threadHolds.js";
import { daysIn } from "../../plans/grounding/writtenValues.js";

/** What every question to a model says about the run. */
export function runBasics(state: GraphState, settings: Settings): RunBasics {
  return {
    request: state.run.request,
    background: wholeBackground(state, settings),
    earlierTurns: earlierTurns(state),
  };
}

/** The background facts, and what system messages of the conversation say. */
function wholeBackground({ messages }: GraphState, settings: Settings): string | undefined {
  const said = messages.flatMap((each) => (SystemMessage.isInstance(each) ? each.text : []));
  return [backgroundOf(settings), ...said].filter(Boolean).join("\n\n") || undefined;
}

/** Background facts for the model: the run's own, else those of the catalog's world. */
export function backgroundOf({ background, library }: Settings): string | undefined {
  if (background !== undefined || !Object.hasOwn(CATALOGS, library)) return background;
  return CATALOGS[library]?.background;
}

/** The thread that calls are recorded under; a run without a checkpointer is its own thread. */
export function threadOf(
  { run }: Pick<GraphState, "run">,
  config: LangGraphRunnableConfig,
): string {
  const thread: unknown = config.configurable?.["thread_id"];
  return typeof thread === "string" ? thread : run.id;
}

/**
 * Whether the run can be paused to ask a person: LangGraph keeps it meanwhile only if it has a checkpointer. Within a
 * graph that others have compiled, a run of a thread is taken to have one.
 */
export function canAsk({ configurable }: Pick<LangGraphRunnableConfig, "configurable">): boolean {
  return Boolean(configurable?.[ASKS_KEY] ?? configurable?.["thread_id"]);
}

/** Asks a person; undefined where nobody can be asked after all, because the graph that others compiled has no checkpointer. */
export function ifAsked<Answer>(ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch (error) {
    if (cannotWait(error)) return undefined;
    throw error;
  }
}

/** Whether LangGraph could not pause a run, for want of a checkpointer. */
export function cannotWait(error: unknown): boolean {
  return (Object(error) as { lc_error_code?: string }).lc_error_code === "MISSING_CHECKPOINTER";
}

/** Token of the run's hold on its thread, if it has a thread. */
export function holdOf({ configurable }: LangGraphRunnableConfig): string | undefined {
  const hold: unknown = configurable?.[HOLD_KEY];
  return typeof hold === "string" ? hold : undefined;
}

/** On whose behalf the run makes its calls: as its server says, else on that of whoever uses this machine. */
export function behalfOf({ configurable }: LangGraphRunnableConfig): Behalf {
  return (configurable?.[BEHALF_KEY] as Behalf | undefined) ?? LOCAL;
}

/** The date of a run: the first full date in its background, else the machine's. */
export function todayOf(settings: Settings): string {
  const days = daysIn(backgroundOf(settings) ?? "").toSorted(
    (one, other) => one.start - other.start,
  );
  const [told] = days.flatMap(({ readings }) =>
    readings.flatMap(({ year, month, day }) =>
      year === undefined ? [] : [new Date(Date.UTC(year, month - 1, day))],
    ),
  );
  return (told ?? new Date()).toISOString().slice(0, "2026-03-01".length);
}
