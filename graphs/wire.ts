import { END, type LangGraphRunnableConfig, START, StateGraph } from "@langchain/langgraph";
import { InvalidSetting } from "../common/errors.js";
import type { Stage } from "../nodes/shared/stage.js";
import { settingsForm } from "../state/settings.js";
import { type GraphState, Input, Output, State, type StateUpdate } from "../state/state.js";
import type { Compilable } from "./compile.js";
import { type Run, type Stepping, type Ways, stepAtOnce } from "./step.js";

/**
 * Whether a run takes a way. Ready-made conditions are in `conditions.ts`.
 *
 * @example
 * const called: Condition = ({ calls }) => calls.length > 0;
 */
export type Condition<S = GraphState> = (state: S, config: LangGraphRunnableConfig) => boolean;

/**
 * A stage, or ways with conditions: the run takes the first that holds, else the last, which has none.
 *
 * @example
 * const next = [[conditions.missed, "recurse"], "act"] as const;
 */
export type Next<Name extends string, S = GraphState> =
  | Name
  | typeof END
  | readonly [...(readonly [Condition<S>, Name | typeof END])[], Name | typeof END];

/** A row of a wiring: what a stage runs and where it leads. */
export interface Row<Name extends string, S = GraphState, U = StateUpdate> {
  run: Stage<S, U>;
  next: Next<Name, S>;
  /**
   * Where a run goes that has ended here.
   *
   * @default the `ended` of the whole wiring
   */
  ended?: Next<Name, S>;
}

/** Rows by the names of their stages. */
export type Table<Name extends string, S = GraphState, U = StateUpdate> = Readonly<
  Record<Name, Row<Name, S, U>>
>;

/** A wiring before it is compiled to a graph. */
export interface Wiring<Rows = unknown> extends Compilable {
  /** Its rows, for wirings that differ from it in a few. */
  table: Rows;
  /** The stages by name, with what each declares about itself. */
  stages: Readonly<Record<string, Stage>>;
}

/** What holds for all rows of a wiring. */
export interface WiringOptions<Name extends string, S> {
  /**
   * Where a run goes that has ended before its last stage.
   *
   * @default "respond"
   */
  ended?: Next<Name, S>;
}

/**
 * Makes a plain StateGraph of a table that says what each stage runs and where it leads. Two ways hold for all
 * rows and are left out: a stage that asks a model is revisited after an unusable reply, and a run that has
 * ended goes to `respond`.
 *
 * @param first the stage where a run begins
 * @param table the rows, by stage name
 * @param options where a run goes that has ended early
 * @returns the wiring, for `compileGraph`
 *
 * @example
 * import { act } from "tulipgraph/nodes/acting/act.js";
 * import { intake } from "tulipgraph/nodes/request/intake.js";
 * import { respond } from "tulipgraph/nodes/request/respond.js";
 *
 * export const wiring = wire("intake", {
 *   intake: { run: intake(), next: "act" },
 *   act: { run: act({ tools: "none" }), next: "respond" },
 *   respond: { run: respond(), next: END },
 * });
 *
 * @throws InvalidSetting if a stage cannot be reached, or cannot reach the end
 */
export function wire<Name extends string>(
  first: NoInfer<Name>,
  table: Readonly<Record<Name, Row<NoInfer<Name>>>>,
  options: WiringOptions<NoInfer<Name>, GraphState> = {},
): Wiring<Table<Name>> {
  const channels = { state: State, input: Input, output: Output };
  // A table without this stage is refused, unless no stage can end the run.
  const ended = "respond" as Name;
  return wireOver(channels, first, table, { ended, ...options });
}

/** Like `wire`, over channels of your own; a run that has ended stops at once. */
export function wireOver<Name extends string, S extends { status: string; repair: unknown }, U>(
  channels: object,
  first: NoInfer<Name>,
  table: Readonly<Record<Name, Row<NoInfer<Name>, S, U>>>,
  { ended = END }: WiringOptions<NoInfer<Name>, S> = {},
): Wiring<Table<Name, S, U>> {
  const rows = Object.entries(table) as [Name, Row<Name, S, U>][];
  const ways = new Map(rows.map(([name, row]) => [name, waysOf({ name, row, ended })]));
  requireWhole(first, ways);
  const runs = new Map(rows.map(([name, { run }]) => [name, run as unknown as Run<S>]));
  const builder = new StateGraph({ ...channels, context: settingsForm } as never) as Builder;
  for (const [name, { run }] of rows) builder.addNode(name, run);
  builder.addEdge(START, first);
  for (const [name, { route, ends }] of ways) {
    if (route) builder.addConditionalEdges(name, route as Route, ends);
    else builder.addEdge(name, ends[0]);
  }
  return {
    table,
    stages: Object.fromEntries(rows.map(([name, { run }]) => [name, run as unknown as Stage])),
    compile: (how) =>
      stepAtOnce(builder.compile(how), ways.set(START as Name, { ends: [first] }), runs),
  };
}

type Route = (state: object, config: LangGraphRunnableConfig) => string;

/** LangGraph's builder types its nodes by name, which a table already does. */
interface Builder {
  compile: (...how: Parameters<Compilable["compile"]>) => Stepping;
  addNode: (name: string, run: unknown) => unknown;
  addEdge: (from: string, to: string | undefined) => unknown;
  addConditionalEdges: (from: string, route: Route, ends: string[]) => unknown;
}

function waysOf<Name extends string, S extends { status: string; repair: unknown }, U>(options: {
  name: Name;
  row: Row<Name, S, U>;
  ended: Next<Name, S>;
}): Ways<S> {
  const { name, row } = options;
  const { run } = row;
  const leaving = row.ended ?? (run.ends ? options.ended : undefined);
  const ended = leaving === undefined ? undefined : waysIn(leaving);
  const next = waysIn(row.next);
  const ends = new Set([
    ...(run.repairs ? [name] : []),
    ...[...next, ...(ended ?? [])].map(([, end]) => end),
  ]);
  if (ends.size === 1) return { ends: [...ends] };
  return {
    ends: [...ends],
    route: (state, config) => {
      if (ended && state.status !== "running") return chosen(ended, state, config);
      return run.repairs && state.repair ? name : chosen(next, state, config);
    },
  };
}

/** A way, with its condition if it has one. */
type Way<S> = readonly [Condition<S> | undefined, string];

function chosen<S>(ways: readonly Way<S>[], state: S, config: LangGraphRunnableConfig): string {
  const way = ways.find(([condition]) => condition?.(state, config) ?? true);
  return way?.[1] ?? END;
}

/** The last way has no condition. */
function waysIn<S>(next: Next<string, S>): Way<S>[] {
  if (typeof next === "string") return [[undefined, next]];
  return next.map((way) => (typeof way === "string" ? ([undefined, way] as const) : way));
}

/** @throws InvalidSetting */
function requireWhole<S>(first: string, ways: ReadonlyMap<string, Ways<S>>): void {
  const named = [first, ...[...ways.values()].flatMap(({ ends }) => ends)];
  const unknown = named.find((name) => name !== END && !ways.has(name));
  if (unknown) throw wrong(unknown, "a way leads to it, and the table has no such stage");
  const reached = closure(new Set([first]), (name) => ways.get(name)?.ends ?? []);
  const lost = [...ways.keys()].find((name) => !reached.has(name));
  if (lost) throw wrong(lost, `it cannot be reached from ${first}`);
  const before = (end: string) =>
    [...ways].flatMap(([name, { ends }]) => (ends.includes(end) ? [name] : []));
  const ending = closure(new Set([END]), before);
  const stuck = [...ways.keys()].find((name) => !ending.has(name));
  if (stuck) throw wrong(stuck, "no way leads from it to the end");
}

function wrong(stage: string, problem: string): InvalidSetting {
  return new InvalidSetting({
    setting: `stage ${stage}`,
    problem,
    hint: "check the rows of the wiring that lead to it and from it",
  });
}

function closure(found: Set<string>, step: (name: string) => readonly string[]): Set<string> {
  for (const name of found) step(name).forEach((next) => found.add(next));
  return found;
}
