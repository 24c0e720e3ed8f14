import type { PlanTool } from "../../plans/plan.js";
import type { NamedTools } from "../shared/modelView.js";

/** Tools as plans are checked with them, with the names under which the model knows them. */
export function planTools(offered: NamedTools): PlanTool[] {
  return [...offered].map(([name, { id, parameters, returns, effects }]) => ({
    id,
    name,
    parameters,
    ...(returns ? { returns } : {}),
    effects,
  }));
}

/** What the model calls a tool; its id where it is not on offer. */
export function nameIn(offered: NamedTools): (tool: string) => string {
  const names = new Map([...offered].map(([name, { id }]) => [id, name]));
  return (tool) => names.get(tool) ?? tool;
}
