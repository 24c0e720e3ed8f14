import { type Workspace, runWorkspace } from "../../home/workspace.js";
import type { PlanTool } from "../../plans/steps/plan.js";
import { leftOf } from "../../state/ledger.js";
import type { GraphState } from "../../state/state.js";
import type { ToolRecord } from "../../tools/tool.js";
import type { ToolOffer } from "./toolOffer.js";
import type {
  OfferedTool,
  ShownDemonstration,
  ToldBudget,
  WithheldTools,
} from "../kit/stageInputs.js";

/** Tools by the names the model knows them by. */
export type NamedTools = ReadonlyMap<string, ToolRecord>;

export function toolView([name, tool]: [string, ToolRecord]): OfferedTool {
  const { description, parameters, returns } = tool;
  return { name, description, parameters, ...(returns ? { returns } : {}) };
}

/** Tools as shown to a model, with the types of results that were seen where none is declared. */
export async function viewsWithSeen(
  tools: NamedTools,
  { runtime }: Pick<Workspace, "runtime"> = runWorkspace(),
): Promise<OfferedTool[]> {
  const untold = [...tools.values()].filter(({ returns }) => !returns).map(({ hash }) => hash);
  const seen = await runtime.journal.seenResults(untold);
  return [...tools].map((named) => {
    const { type, times } = seen.get(named[1].hash) ?? {};
    return { ...toolView(named), ...(type && times && { seen: { type, times } }) };
  });
}

/** Tools as the checks of plans see them, with the names the model knows them by. */
export function planTools(offered: NamedTools): PlanTool[] {
  return [...offered].map(([name, { id, parameters, returns, effects }]) => ({
    id,
    name,
    parameters,
    ...(returns ? { returns } : {}),
    effects,
  }));
}

/** What the model calls a tool; its id if it is not on offer. */
export function nameIn(offered: NamedTools): (tool: string) => string {
  const names = new Map([...offered].map(([name, { id }]) => [id, name]));
  return (tool) => names.get(tool) ?? tool;
}

/** The demonstrations of a run, with the tool names the model knows. */
export function demonstrationViews(
  { demonstrations }: GraphState,
  known: NamedTools,
): ShownDemonstration[] {
  const nameOf = nameIn(known);
  return demonstrations.map(({ calls, ...demonstration }) => ({
    ...demonstration,
    calls: calls.map(({ tool, ...call }) => ({ name: nameOf(tool), ...call })),
  }));
}

/** The remaining budget, and what each tool on offer costs. */
export function budgetView(
  state: GraphState,
  offer: Pick<ToolOffer, "prices"> & { offered: NamedTools },
): ToldBudget {
  const { offered, prices } = offer;
  return {
    left: leftOf(state),
    unit: state.ledger?.unit ?? "units",
    prices: Object.fromEntries([...offered].map(([name, { id }]) => [name, prices[id] ?? 0])),
  };
}

/** The tools that may no longer be called, by reason. */
export function withheldTools(
  state: Pick<GraphState, "ledger" | "usage">,
  offer: ToolOffer,
): WithheldTools {
  const { forbidden, useless, prices } = offer;
  const left = leftOf(state);
  const namesOf = (keep: (price: number) => boolean) =>
    [...forbidden].filter(([, { id }]) => keep(prices[id] ?? 0)).map(([name]) => name);
  return {
    forbidden: namesOf((price) => price > left),
    ungranted: namesOf((price) => price <= left),
    useless: [...useless.keys()],
  };
}
