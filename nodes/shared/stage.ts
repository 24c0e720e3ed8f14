import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { oneLine } from "../../common/errors.js";
import type { Call, GraphState, StateUpdate } from "../../state/state.js";
import { knowingResults } from "./wholeResult.js";

/** An update, and the state it changes. */
export interface StageChange<State = GraphState, Update = StateUpdate> {
  change: Update;
  before: Partial<State>;
}

/** A piece of a line: plain words, an emphasized part, or an aside. */
export type LinePart = string | { strong: string } | { aside: string };

/**
 * A line for a person.
 *
 * @example
 * const line: Line = ["searched for ", { strong: "area of a circle" }, { aside: " (2 hits)" }];
 */
export type Line = string | readonly LinePart[];

/** What a wiring and a terminal need to know about a stage. */
export interface StageFacts<State = GraphState, Update = StateUpdate> {
  /**
   * It asks a model for a reply, and is revisited until the reply is usable.
   *
   * @default false
   */
  repairs?: boolean;
  /**
   * It can end the run: with an answer, or because of a limit, a budget or a refusal.
   *
   * @default false
   */
  ends?: boolean;
  /**
   * What it did, as lines for a person.
   *
   * @default no lines
   */
  lines?(this: void, stage: StageChange<State, Update>): Line[];
}

/** A graph node with the facts that wirings need to know about it. */
export interface Stage<State = GraphState, Update = StateUpdate> extends StageFacts<State, Update> {
  (state: State, config: LangGraphRunnableConfig): Update | Promise<Update>;
}

/**
 * Makes a node a stage.
 *
 * @param facts what wirings and terminals need to know
 * @param run the node
 * @returns the stage, for a row of a wiring
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
  const knowing = (state: State, config: LangGraphRunnableConfig) => {
    const { calls = [] } = state as { calls?: readonly Call[] };
    const isWhole = calls.every(({ resultRef }) => resultRef === undefined);
    return isWhole ? run(state, config) : knowingResults({ calls }, () => run(state, config));
  };
  return Object.assign(knowing, facts);
}

/**
 * Makes a node that asks a model a stage: it asks again after an unusable reply, and limits can end the run
 * there.
 *
 * @param facts what the wiring and the terminal need to know of it
 * @param run the node, which makes at most one model call
 * @returns the stage, for a row of a wiring
 *
 * @example
 * export function rate() {
 *   return askingStage({ lines }, async (state, config) => {
 *     const context = readSettings(config, state);
 *     const asked = await askFor(question, { state, context, config, input: { task: state.run.request } });
 *     return "end" in asked ? asked.end : { ...asked.asked, answer: asked.value.rating };
 *   });
 * }
 */
export function askingStage<State = GraphState, Update = StateUpdate>(
  facts: Omit<StageFacts<State, Update>, "repairs" | "ends">,
  run: (
    state: State,
    config: LangGraphRunnableConfig,
  ) => NoInfer<Update> | Promise<NoInfer<Update>>,
): Stage<State, Update> {
  return stage({ ...facts, repairs: true, ends: true }, run);
}

/**
 * What a stage did, in lines for a person; empty for a stage with nothing to say. An unusable reply and the end of a
 * run read the same for all stages.
 */
export function linesOfChange(options: StageChange & { stage?: StageFacts }): Line[] {
  const { stage, change, before } = options;
  if (change.repair) return [`unusable reply, asking again: ${oneLine(change.repair.problem)}`];
  if (isEnd(change)) return [oneLine(change.answer ?? "")];
  return stage?.lines?.({ change, before }) ?? [];
}

/** Whether the stage ended the run without an answer to the request. */
function isEnd({ status }: StateUpdate): boolean {
  return status !== undefined && !["running", "solved", "answered", "planned"].includes(status);
}
