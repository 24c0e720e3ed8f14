import { Runnable } from "@langchain/core/runnables";
import {
  type CachePolicy,
  END,
  type LangGraphRunnableConfig,
  type RetryPolicy,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { InvalidSetting } from "../common/errors.js";
import type { Stage } from "../nodes/kit/stage.js";
import { settingsForm } from "../state/settings.js";
import { type GraphState, Input, Output, State } from "../state/state.js";
import type { Compilable } from "./compile.js";

/**
 * Whether a run takes a way. Ready-made conditions are in `conditions.ts`.
 *
 * @example
 * const called: Condition = ({ calls }) => calls.length > 0;
 */
export type Condition = (state: GraphState, config: LangGraphRunnableConfig) => boolean;

/**
 * A stage, or ways with conditions: the run takes the first that holds, else the last, which has none.
 *
 * @example
 * const next = [[conditions.missed, "recurse"], "act"] as const;
 */
export type Next<Name extends string> =
  | Name
  | typeof END
  | readonly [...(readonly [Condition, Name | typeof END])[], Name | typeof END];

/** A row of a wiring: what a stage runs and where it leads. */
export interface Row<Name extends string> {
  run: Stage;
  /** Where a run goes on. Only a row with `goto` can do without it. */
  next?: Next<Name>;
  /**
   * Where the stage itself may lead, by a `Command` that it returns. As in every StateGraph, `next` leads on besides.
   *
   * @default nowhere
   */
  goto?: readonly (Name | typeof END)[];
  /**
   * Where a run goes that has ended here.
   *
   * @default the `ended` of the whole wiring
   */
  ended?: Next<Name>;
  /**
   * When LangGraph runs the stage again after an error that it throws.
   *
   * @default never: stages ask a model again themselves
   */
  retryPolicy?: RetryPolicy;
  /**
   * How long LangGraph answers with an earlier update for the same state, from the `cache` of `compileGraph`.
   *
   * @default never
   */
  cachePolicy?: CachePolicy;
}

/** Rows by the names of their stages. */
export type Table<Name extends string> = Readonly<Record<Name, Row<Name>>>;

/** A wiring before it is compiled to a graph. */
export interface Wiring<Rows = unknown> extends Compilable {
  /** Its rows, for wirings that differ from it in a few. */
  table: Rows;
  /** The stages by name, with what each declares about itself. */
  stages: Readonly<Record<string, Stage>>;
}

export interface WiringOptions<Name extends string> {
  /**
   * Where a run goes that has ended before its last stage.
   *
   * @default "respond"
   */
  ended?: Next<Name>;
}

/**
 * Makes a plain StateGraph of a table that says what each stage runs and where it leads. Three ways hold for all
 * rows and are left out: a stage that asks a model is revisited after an unusable reply, a run that has ended goes to
 * `respond`, and one that a stage guards goes there by way of this stage.
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
  options: WiringOptions<NoInfer<Name>> = {},
): Wiring<Table<Name>> {
  // A table without this stage is refused, unless no stage can end the run.
  const { ended = "respond" as Name } = options;
  const rows = Object.entries(table) as [Name, Row<Name>][];
  const [guard] = rows.flatMap(([name, { run }]) =>
    run.guards ? { name, holds: run.guards } : [],
  );
  const ways = new Map(
    rows.map(([name, row]) => [
      name,
      waysOf({ name, row, ended, guard: name === guard?.name ? undefined : guard }),
    ]),
  );
  requireWhole(first, ways);
  const channels = { state: State, input: Input, output: Output };
  const builder = new StateGraph({ ...channels, context: settingsForm } as never) as Builder;
  for (const [name, { run, goto, retryPolicy, cachePolicy }] of rows)
    builder.addNode(name, run, { ends: goto, retryPolicy, cachePolicy });
  builder.addEdge(START, first);
  for (const [name, { route, ends }] of ways) {
    if (route) builder.addConditionalEdges(name, new Route(route), ends);
    else for (const end of ends) builder.addEdge(name, end);
  }
  return {
    table,
    stages: Object.fromEntries(rows.map(([name, { run }]) => [name, run])),
    compile: (how) => builder.compile(how),
  };
}

/** The way of a state. As a function it would be a run of its own, with callbacks, for each step of a graph. */
class Route extends Runnable<GraphState, string | string[], LangGraphRunnableConfig> {
  override lc_namespace = ["tulipgraph"];

  constructor(private readonly way: NonNullable<Ways["route"]>) {
    super();
  }

  override async invoke(state: GraphState, config: LangGraphRunnableConfig = {}) {
    return this.way(state, config);
  }
}

/** LangGraph's builder types its nodes by name, which a table already does. */
interface Builder {
  compile: (...how: Parameters<Compilable["compile"]>) => unknown;
  addNode: (name: string, run: unknown, options: object) => unknown;
  addEdge: (from: string, to: string) => unknown;
  addConditionalEdges: (from: string, route: Route, ends: string[]) => unknown;
}

interface Ways {
  ends: string[];
  /** Which way a state takes; absent if there is only one. */
  route?: (state: GraphState, config: LangGraphRunnableConfig) => string | string[];
  goto: readonly string[];
}

function waysOf<Name extends string>(options: {
  name: Name;
  row: Row<Name>;
  ended: Next<Name>;
  guard?: Guard;
}): Ways {
  const { name, row, guard } = options;
  const { run, goto = [] } = row;
  const leaving = row.ended ?? (run.ends ? options.ended : undefined);
  const ended = leaving === undefined ? undefined : guarded(waysIn(leaving), guard);
  const next = row.next === undefined ? [] : guarded(waysIn(row.next), guard);
  if (next.length === 0 && goto.length === 0) throw wrong(name, "its row leads nowhere");
  const all = [...next, ...(ended ?? [])].map(([, end]) => end);
  const ends = [...new Set(run.repairs ? [name, ...all] : all)];
  const isOneWay = next.length > 0 ? ends.length === 1 : ends.length === 0;
  if (isOneWay) return { ends, goto };
  return {
    ends,
    goto,
    route: (state, config) => {
      if (ended && state.status !== "running") return chosen(ended, state, config);
      return run.repairs && state.repair ? name : chosen(next, state, config);
    },
  };
}

/** A way, with its condition if it has one. */
type Way = readonly [Condition | undefined, string];

interface Guard {
  name: string;
  holds: Condition;
}

/** Ways to `respond`, by way of the stage that guards it. */
function guarded(ways: readonly Way[], guard: Guard | undefined): Way[] {
  if (!guard) return [...ways];
  const { name, holds } = guard;
  return ways.flatMap((way): Way[] => {
    const [condition, end] = way;
    if (end !== "respond") return [way];
    const both: Condition = (...run) => (condition?.(...run) ?? true) && holds(...run);
    return [[both, name], way];
  });
}

/** No way is left to a stage that leads of its own. */
function chosen(ways: readonly Way[], ...run: Parameters<Condition>): string | string[] {
  const way = ways.find(([condition]) => condition?.(...run) ?? true);
  return way?.[1] ?? [];
}

/** The last way has no condition. */
function waysIn(next: Next<string>): Way[] {
  if (typeof next === "string") return [[undefined, next]];
  return next.map((way) => (typeof way === "string" ? ([undefined, way] as const) : way));
}

function requireWhole(first: string, ways: ReadonlyMap<string, Ways>): void {
  const leading = new Map([...ways].map(([name, { ends, goto }]) => [name, [...ends, ...goto]]));
  const named = [first, ...[...leading.values()].flat()];
  const unknown = named.find((name) => name !== END && !ways.has(name));
  if (unknown) throw wrong(unknown, "a row leads to it, but the table has no such stage");
  const reached = closure(new Set([first]), (name) => leading.get(name) ?? []);
  const lost = [...ways.keys()].find((name) => !reached.has(name));
  if (lost) throw wrong(lost, `it cannot be reached from ${first}`);
  const before = (end: string) =>
    [...leading].flatMap(([name, ends]) => (ends.includes(end) ? [name] : []));
  const ending = closure(new Set([END]), before);
  const stuck = [...ways.keys()].find((name) => !ending.has(name));
  if (stuck) throw wrong(stuck, "it cannot reach the end");
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
