import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { GraphState, StateUpdate } from "../../state/state.js";

/** An update, and the state that it changes. */
export interface StageChange<State = GraphState, Update = StateUpdate> {
  change: Update;
  before: Partial<State>;
}

/** A piece of a line: words, what the eye is to find first, or what may be skipped. */
export type LinePart = string | { strong: string } | { aside: string };

/** A line for a person. */
export type Line = string | readonly LinePart[];

/** What a wiring and a terminal have to know of a stage. */
export interface StageFacts<State = GraphState, Update = StateUpdate> {
  /**
   * It asks a model for a reply that can be unusable, and is visited again until one can be used.
   *
   * @default false
   */
  repairs?: boolean;
  /**
   * It can end the run: by an answer, a limit, a budget, a refusal.
   *
   * @default false
   */
  ends?: boolean;
  /** What it did, in lines for a person; none where there is nothing to say. */
  lines?(this: void, stage: StageChange<State, Update>): Line[];
}

/** A node of a graph that says of itself what wirings have to know. */
export interface Stage<State = GraphState, Update = StateUpdate> extends StageFacts<State, Update> {
  (state: State, config: LangGraphRunnableConfig): Update | Promise<Update>;
}

/**
 * Makes a node a stage.
 *
 * @example
 * export function recurse({ by }: RecurseOptions) {
 *   return stage({ lines: recursionLines }, async (state, config) => { … });
 * }
 */
export function stage<State = GraphState, Update = StateUpdate>(
  facts: StageFacts<State, Update>,
  run: (
    state: State,
    config: LangGraphRunnableConfig,
  ) => NoInfer<Update> | Promise<NoInfer<Update>>,
): Stage<State, Update> {
  return Object.assign(run, facts);
}

/** A stage that asks a model: it asks again after an unusable reply, and limits can end the run at it. */
export function askingStage<State = GraphState, Update = StateUpdate>(
  facts: Omit<StageFacts<State, Update>, "repairs" | "ends">,
  run: (
    state: State,
    config: LangGraphRunnableConfig,
  ) => NoInfer<Update> | Promise<NoInfer<Update>>,
): Stage<State, Update> {
  return stage({ ...facts, repairs: true, ends: true }, run);
}
