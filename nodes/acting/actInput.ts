import { writtenValue } from "../../plans/solutionText.js";
import { visibleCalls } from "../../state/calls.js";
import type { Context } from "../../state/context.js";
import { type Call, type GraphState, leafSubtasks, unservedTasks } from "../../state/state.js";
import { taskAtHand } from "../../state/taskTree.js";
import { earlierAttempts } from "../../state/tree.js";
import { nameIn } from "../planning/planTools.js";
import {
  type NamedTools,
  demonstrationViews,
  toolView,
  budgetView,
  withheldTools,
} from "../shared/modelView.js";
import { runBasics } from "../shared/runBasics.js";
import type {
  Attempt,
  Observation,
  OfferedTool,
  ShownDemonstration,
  RunBasics,
  TaskResult,
  ToldBudget,
  WithheldTools,
} from "../shared/stageInputs.js";
import type { ToolOffer } from "../shared/offeredTools.js";
import type { ActOptions } from "./act.js";

/** What is known when a model is asked for the next calls or the answer. */
export interface ActInput extends RunBasics {
  /** The subtasks to follow, in order; empty in graphs that do not decompose. */
  steps: string[];
  /** Subtasks, or in graphs that do not decompose search phrases, for which no tool was found. */
  missed: string[];
  /** Library tools on offer, without control tools; empty in `base`. */
  tools: OfferedTool[];
  /** Calls of this run so far, oldest first; in a search over steps, those of the branch at hand. */
  observations: Observation[];
  /** Where the model is told of prices and of what is left. */
  budget?: ToldBudget;
  withheld?: WithheldTools;
  /** Tools that are withheld by now, and whose calls are among the observations. */
  retired?: OfferedTool[];
  /**
   * In a search over steps, which is ended with `finish` instead of `stop`: earlier tries at this
   * point, to which the next one should be different.
   */
  search?: { attempts: Attempt[] };
  /** In a graph whose model keeps the library itself: it may search, decompose, create, update, delete. */
  keepsLibrary?: {
    /** Phrases that the library was searched for in this run, whatever they have found. */
    searched: string[];
    /** What this run has changed in the library; `tool` is the wire name, or empty. */
    edits: { kind: "create" | "update" | "delete"; tool: string; outcome: string }[];
  };
  /** How tasks that are alike were done, by wire names. */
  demonstrations?: ShownDemonstration[];
  /** In a task tree: the one task to solve, with one tool; `request` is the request as a whole. */
  task?: { text: string; earlierResults: TaskResult[] };
  /**
   * Where a plan was followed up to here: why no further, and its calls that were not made, one line each; of a
   * program its code.
   */
  plan?: {
    left: string;
    remaining: string[];
    code?: string;
    /** No call of the run has changed anything so far. */
    unchanged?: boolean;
  };
}

declare module "../shared/stageInputs.js" {
  interface StageInputs {
    act: ActInput;
  }
}

/** What a model is told at `act`. */
export function actInput(options: {
  state: GraphState;
  context: Context;
  offer: ToolOffer;
  options: ActOptions;
}): ActInput {
  const { state, context, offer } = options;
  const { ending, prices, keepsLibrary, scope } = options.options;
  const { offered, forbidden, useless } = offer;
  const withheld = new Map([...forbidden, ...useless]);
  const known = new Map([...offered, ...withheld]);
  const calls = visibleCalls(state);
  // What a plan lacked tools for is no list of steps either.
  const leaves = state.plan || state.program ? [] : leafSubtasks(state.subtasks);
  // A graph that does not decompose has the request as its only subtask: that is no list of steps.
  const decomposed = leaves.some(({ text }) => text !== state.run.request);
  const left = planSoFar(state, offered);
  return {
    ...runBasics({ state, context }),
    steps: decomposed ? leaves.map(({ text }) => text) : [],
    missed: missedBy(state, decomposed),
    tools: [...offered].map(toolView),
    observations: calls.map((call) => observation(call, known)),
    ...(prices && state.ledger ? { budget: budgetView({ state, offer }) } : {}),
    ...(withheld.size > 0
      ? {
          withheld: withheldTools({ state, offer }),
          retired: [...withheld].filter(([, { id }]) => isAmong(calls, id)).map(toolView),
        }
      : {}),
    ...(ending === "finish" ? { search: { attempts: earlierAttempts(state.tree) } } : {}),
    ...(keepsLibrary ? { keepsLibrary: librarySoFar(state) } : {}),
    ...(state.demonstrations.length > 0
      ? { demonstrations: demonstrationViews(state, known) }
      : {}),
    ...(scope === "task" ? { task: taskAtHand(state) } : {}),
    ...(left ? { plan: { ...left, unchanged: isUnchanged(calls, known) } } : {}),
  };
}

/** What no tool was found for; of a plan, what it still lacked when all searches were made. */
function missedBy(state: GraphState, decomposed: boolean): string[] {
  if (state.plan) return state.plan.lacking;
  if (state.program) return unservedTasks(state);
  return decomposed ? unservedTasks(state) : fruitlessPhrases(state);
}

/** Why the plan, or the program, is not followed any further, and the steps that were not called. */
function planSoFar({ plan, program }: GraphState, offered: NamedTools): ActInput["plan"] {
  if (program?.code) return { left: program.left, remaining: [], code: program.code };
  if (!plan?.steps.length) return undefined;
  const nameOf = nameIn(offered);
  const remaining = [...plan.steps.entries()].filter(([at]) => !plan.callIds[at]);
  return {
    left: plan.left,
    remaining: remaining.map(
      ([at, { tool, args }]) =>
        `step ${at}: ${nameOf(tool)}(${JSON.stringify(writtenValue(args))})`,
    ),
  };
}

/** Whether each call that was made is known to be of a tool that only reads. */
function isUnchanged(calls: readonly Call[], known: NamedTools): boolean {
  const reads = new Set(
    [...known.values()].flatMap((tool) => (tool.effects === "read" ? tool.id : [])),
  );
  return calls.every(({ tool, refused }) => refused || reads.has(tool));
}

/** What this run has looked for in the library, and changed in it. */
function librarySoFar({ searches, edits }: GraphState): ActInput["keepsLibrary"] {
  return {
    searched: searches.map(({ phrase }) => phrase),
    edits: edits.map(({ kind, tool, outcome }) => ({ kind, tool, outcome })),
  };
}

function isAmong(calls: readonly Call[], id: string): boolean {
  return calls.some(({ tool }) => tool === id);
}

/** Phrases of the last round of searches that found nothing. */
function fruitlessPhrases({ searches }: GraphState): string[] {
  const last = Math.max(...searches.map(({ depth }) => depth));
  return searches
    .filter(({ hits, depth }) => hits.length === 0 && depth === last)
    .map(({ phrase }) => phrase);
}

function observation(call: Call, known: NamedTools): Observation {
  const { tool, args, result, error } = call;
  const wireName = [...known].find(([, { id }]) => id === tool)?.[0] ?? tool;
  return { tool: wireName, args, ...(error === undefined ? { result } : { error }) };
}
