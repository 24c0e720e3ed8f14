import { isDeepStrictEqual } from "node:util";
import type { OfferedTool } from "../../nodes/shared/stageInputs.js";
import { wireNames } from "../../tools/runtime/wireNames.js";
import type { ToolDefinition } from "../../tools/tool.js";
import type { GoldPlan } from "./goldTask.js";

/** Tools of a gold plan that are on offer, by id and by the names that a model sees. */
interface Offer {
  /** Id → name on the wire. */
  nameOf: ReadonlyMap<string, string>;
  /** Name on the wire → id. */
  idOf: ReadonlyMap<string, string>;
}

/** Finds the tools of a gold plan among those shown to a model. */
export function offerOf({ tools }: Pick<GoldPlan, "tools">, shown: readonly OfferedTool[]): Offer {
  const found = [...tools.values()].flatMap((tool) => {
    const name = shownName(tool, shown);
    return name === undefined ? [] : [[tool.id, name] as const];
  });
  return { nameOf: new Map(found), idOf: new Map(found.map(([id, name]) => [name, id])) };
}

/** If several tools share a name, all but one have a suffix; their parameters distinguish them. */
function shownName(tool: ToolDefinition, shown: readonly OfferedTool[]): string | undefined {
  const plain = wireNames({ tools: [tool] }).byId.get(tool.id) ?? tool.name;
  const alike = shown
    .filter(({ name }) => name === plain || /^_[0-9a-f]{8}$/.test(name.slice(plain.length)))
    .filter(({ name }) => name.startsWith(plain));
  const [only] = alike;
  if (only && alike.length === 1) return only.name;
  return alike.find(({ parameters }) => isDeepStrictEqual(parameters, tool.parameters))?.name;
}
