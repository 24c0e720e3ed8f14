import type { PlanTool } from "../../plans/plan.js";
import type { NamedTools } from "../shared/modelView.js";

/** Tools for checking plans, with the names the model knows them by. */
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
