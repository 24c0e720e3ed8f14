import { visibleCalls } from "../../state/calls.js";
import type { Settings } from "../../state/settings.js";
import { type Call, type GraphState, leafSubtasks, unservedTasks } from "../../state/state.js";
import { taskAtHand, type TaskResult } from "../../state/taskTree.js";
import { earlierAttempts, type Attempt } from "../../state/searchTree.js";
import {
  nameIn,
  type NamedTools,
  demonstrationViews,
  toolView,
  budgetView,
  withheldTools,
} from "../policy/modelView.js";
import { runBasics } from "../kit/runBasics.js";
import type {
  Observation,
  OfferedTool,
  ShownDemonstration,
  RunBasics,
  ToldBudget,
  WithheldTools,
} from "../kit/stageInputs.js";
import { type ToolOffer, allTools } from "../policy/toolOffer.js";

/** What the model may call, how it finishes, and what it is told of a budget. */
export interface ActOptions {
  /** `none`: the model answers by itself (BaseAgent). */
  tools: "none" | "found";
  /** `finish` in a step search, where the answer ends a branch and `agenda` ends the run. */
  ending?: "stop" | "finish";
  /** Whether the model is told prices and the remaining budget (BTP's "+Prompt"). */
  prices?: boolean;
  /** The model may decompose, create, update and delete tools itself, too (AutoTulip). */
  keepsLibrary?: boolean;
  /**
   * `task`: solve the innermost task of the tree; `stop` ends that task, not the run (DfsTulip), and
   * `taskAgenda` reads its message.
   */
  scope?: "run" | "task";
  /** The system prompt has a worked example (OneShotCotTulip). */
  oneShot?: boolean;
}

export interface ActInput extends RunBasics {
  oneShot?: boolean;
  /** The subtasks to follow, in order; empty in graphs that do not decompose. */
  steps: string[];
  /** Subtasks (or search phrases, in graphs that do not decompose) for which no tool was found. */
  missed: string[];
  /** Library tools on offer, without control tools; empty in `base`. */
  tools: OfferedTool[];
  /** Calls of this run so far, oldest first; in a step search, those of the current branch. */
  observations: Observation[];
  /** What exists, and cannot be reached; absent if there is nothing. */
  outOfReach?: string;
  /** For a model that is told prices and the remaining budget. */
  budget?: ToldBudget;
  withheld?: WithheldTools;
  /** Withheld tools whose calls are among the observations. */
  retired?: OfferedTool[];
  /**
   * In a step search, which ends with `finish` instead of `stop`: earlier tries at this point, from which the
   * next should differ.
   */
  search?: { attempts: Attempt[] };
  /** If the model may search for other tools: the phrases searched for in this run, whatever they found. */
  searched?: string[];
  /** In a graph whose model maintains the library itself: it may decompose, create, update and delete, too. */
  keepsLibrary?: {
    /** What this run changed in the library; `tool` is the wire name, or empty. */
    edits: { kind: "create" | "update" | "delete"; tool: string; outcome: string }[];
  };
  /** How similar tasks were solved, by wire names. */
  demonstrations?: ShownDemonstration[];
  /** In a task tree: the one task to solve, with one tool; `request` is the whole request. */
  task?: { text: string; earlierResults: TaskResult[] };
  /** If a program was followed so far: why it stopped, and its code. */
  plan?: {
    left: string;
    code: string;
    /** No call of the run has changed anything yet. */
    unchanged?: boolean;
  };
}

/** What a model is told at `act`. */
export function actInput(options: {
  state: GraphState;
  settings: Settings;
  offer: ToolOffer;
  maySearch: boolean;
  away: string;
  options: ActOptions;
}): ActInput {
  const { state, settings, offer, maySearch, away } = options;
  const { ending, prices, keepsLibrary, scope, oneShot } = options.options;
  const { offered, forbidden, useless } = offer;
  const withheld = new Map([...forbidden, ...useless]);
  const known = allTools(offer);
  const nameOf = nameIn(known);
  const calls = visibleCalls(state);
  // What a plan lacked tools for is not a list of steps.
  const leaves = state.program ? [] : leafSubtasks(state.subtasks);
  // A graph that does not decompose has the request as its only subtask: that is not a list of steps.
  const decomposed = leaves.some(({ text }) => text !== state.run.request);
  const { program } = state;
  return {
    ...runBasics(state, settings),
    ...(oneShot ? { oneShot } : {}),
    steps: decomposed ? leaves.map(({ text }) => text) : [],
    missed: missedBy(state, { decomposed, keepsLibrary }),
    tools: [...offered].map(toolView),
    ...(away && { outOfReach: away }),
    observations: calls.map(({ tool, args, result, error }) => ({
      tool: nameOf(tool),
      args,
      ...(error === undefined ? { result } : { error }),
    })),
    ...(prices && state.ledger ? { budget: budgetView(state, offer) } : {}),
    ...(withheld.size > 0
      ? {
          withheld: withheldTools(state, offer),
          retired: [...withheld]
            .filter(([, { id }]) => calls.some(({ tool }) => tool === id))
            .map(toolView),
        }
      : {}),
    ...(ending === "finish" ? { search: { attempts: earlierAttempts(state.tree) } } : {}),
    ...(maySearch ? { searched: state.searches.map(({ phrase }) => phrase) } : {}),
    ...(keepsLibrary
      ? {
          keepsLibrary: {
            edits: state.edits.map(({ kind, tool, outcome }) => ({ kind, tool, outcome })),
          },
        }
      : {}),
    ...(state.demonstrations.length > 0
      ? { demonstrations: demonstrationViews(state, known) }
      : {}),
    ...(scope === "task" ? { task: taskAtHand(state) } : {}),
    ...(program?.code
      ? {
          plan: { left: program.left, code: program.code, unchanged: isUnchanged(calls, known) },
        }
      : {}),
  };
}

function missedBy(
  state: GraphState,
  { decomposed, keepsLibrary }: { decomposed: boolean; keepsLibrary?: boolean },
): string[] {
  if (state.program || decomposed) return unservedTasks(state);
  // The model was told which of its own searches found nothing, and may have succeeded in other words.
  const searches = state.searches.filter(({ call }) => keepsLibrary || call === undefined);
  return fruitlessPhrases(searches);
}

function isUnchanged(calls: readonly Call[], known: NamedTools): boolean {
  const reads = new Set(
    [...known.values()].flatMap((tool) => (tool.effects === "read" ? tool.id : [])),
  );
  return calls.every(({ tool, refused }) => refused || reads.has(tool));
}

/** Phrases of the last round of searches that found nothing. */
function fruitlessPhrases(searches: GraphState["searches"]): string[] {
  const last = Math.max(...searches.map(({ depth }) => depth));
  return searches
    .filter(({ hits, depth }) => hits.length === 0 && depth === last)
    .map(({ phrase }) => phrase);
}
