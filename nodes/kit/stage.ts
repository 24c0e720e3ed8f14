import { oneLine, WiringFault } from "../../common/errors.js";
import type { Command, LangGraphRunnableConfig } from "@langchain/langgraph";
import { several } from "../../common/text.js";
import type { Call, GraphState, StateUpdate } from "../../state/state.js";
import { AsyncLocalStorage } from "node:async_hooks";
import { type Workspace, runWorkspace } from "../../home/workspace.js";

export interface StageChange {
  change: StateUpdate;
  before: Partial<GraphState>;
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
export interface StageFacts {
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
   * It stands before `respond`: ways that lead there go by this stage in runs for which it returns true.
   *
   * @default never
   */
  guards?(this: void, state: GraphState, config: LangGraphRunnableConfig): boolean;
  /**
   * What it did, as lines for a person.
   *
   * @default no lines
   */
  lines?(this: void, stage: StageChange): Line[];
}

/** What a stage does: reads state and settings, and returns an update, or a `Command` with one. */
type Run<Given extends StateUpdate | Command> = (
  state: GraphState,
  config: LangGraphRunnableConfig,
) => Given | Promise<Given>;

/** A graph node with the facts that wirings need to know about it. */
export interface Stage<Given extends StateUpdate | Command = StateUpdate | Command>
  extends StageFacts, Run<Given> {}

/**
 * Makes a node a stage.
 *
 * @param facts what wirings and terminals need to know
 * @param run the node
 * @returns the stage, for a row of a wiring
 *
 * @example
 * export function sign() {
 *   return stage({ lines: () => ["signs its answer"] }, ({ answer }) => ({ answer: `${answer} (a machine)` }));
 * }
 */
export function stage(facts: StageFacts, run: Run<StateUpdate>): Stage<StateUpdate>;
export function stage(facts: StageFacts, run: Run<StateUpdate | Command>): Stage;
export function stage(facts: StageFacts, run: Run<StateUpdate | Command>): Stage {
  const knowing: typeof run = (state, config) => knowingResults(state, () => run(state, config));
  return Object.assign(knowing, facts);
}

/**
 * Makes a node that asks a model a stage: it asks again after an unusable reply, and limits can end the run
 * there. It makes at most one model call.
 *
 * @example
 * export function rate(question: Question<"rate", { task: string; background?: string }, { rating: string }>) {
 *   return askingStage({ lines }, async (state, config) => {
 *     const settings = readSettings(config, state);
 *     const asked = await askFor(question, { state, settings, config, input: { task: state.run.request } });
 *     return "end" in asked ? asked.end : { ...asked.asked, answer: asked.value.rating };
 *   });
 * }
 */
export function askingStage(
  facts: Omit<StageFacts, "repairs" | "ends">,
  run: Run<StateUpdate>,
): Stage<StateUpdate> {
  return stage({ ...facts, repairs: true, ends: true }, run);
}

/**
 * A value the stage cannot work without: a wiring may lead there only if it exists.
 *
 * @example
 * const { code } = needed(state.program, { stage: "checkProgram", what: "a program" });
 *
 * @throws WiringFault if it does not exist
 */
export function needed<Value>(
  value: Value | null | undefined,
  { stage, what }: { stage: string; what: string },
): Value {
  if (value !== null && value !== undefined) return value;
  throw new WiringFault({ stage, problem: `it was reached without ${what}` });
}

type Result = Pick<Call, "result" | "resultRef">;

const known = new AsyncLocalStorage<Map<string, unknown>>();

/**
 * The full result of a call, even one too long for the state. Every stage runs inside {@link knowingResults}, which
 * has read such results from the journal.
 */
export function wholeResult({ result, resultRef }: Result): unknown {
  if (resultRef === undefined) return result;
  const results = known.getStore();
  if (!results?.has(resultRef)) throw new Error(`result ${resultRef} was not read beforehand`);
  return results.get(resultRef);
}

/**
 * Reads the long results of these calls from the journal, and does work that looks at them with `wholeResult`. Within
 * such work, only results that are new to it are read.
 *
 * @param options.workspace default: the run's own
 * @example
 * await knowingResults({ calls }, () => calls.map(wholeResult));
 */
export async function knowingResults<Done>(
  options: { calls: readonly Result[]; workspace?: Workspace },
  work: () => Done | Promise<Done>,
): Promise<Done> {
  const results = known.getStore() ?? new Map<string, unknown>();
  const refs = new Set(options.calls.flatMap(({ resultRef }) => resultRef ?? []));
  const missing = [...refs].filter((ref) => !results.has(ref));
  if (missing.length > 0) {
    const { journal } = (options.workspace ?? runWorkspace()).runtime;
    const read = missing.map(async (ref) => results.set(ref, await journal.result(ref)));
    await Promise.all(read);
  }
  return await known.run(results, work);
}

/**
 * What a stage did, in lines for a person; empty for a stage with nothing to say. An unusable reply and the end of a
 * run read the same for all stages.
 */
export function linesOfChange(options: StageChange & { stage?: StageFacts }): Line[] {
  return [...shorteningLines(options), ...ownLines(options)];
}

function shorteningLines({ change, before }: StageChange): Line[] {
  const { shortened = 0 } = change.usage ?? {};
  if (shortened <= (before.usage?.shortened ?? 0)) return [];
  return [`shortened ${several(shortened, "earlier message")} to fit into the model's window`];
}

function ownLines({ stage, change, before }: StageChange & { stage?: StageFacts }): Line[] {
  if (change.repair) return [`unusable reply, asking again: ${oneLine(change.repair.problem)}`];
  const lines = () => stage?.lines?.({ change, before }) ?? [];
  if (isEnd(change)) return [...(change.calls ? lines() : []), oneLine(change.answer ?? "")];
  return lines();
}

/** Whether the stage ended the run without an answer to the request. */
export function isEnd({ status }: StateUpdate): boolean {
  return status !== undefined && !["running", "solved", "answered", "planned"].includes(status);
}
