import { UnknownName } from "../errors.js";
import { openResources } from "../resources/resources.js";
import type { Context } from "../state/context.js";
import type { GraphState } from "../state/state.js";
import { CONTROL_NAMES } from "../tools/control.js";
import { wireNames } from "../tools/runtime/wireNames.js";
import type { ToolRecord } from "../tools/tool.js";

/**
 * The tools on offer by the names under which a model knows them: those that were found, in their
 * order, and the default tools of the run.
 *
 * @throws UnknownName when a default or fixed tool is not in the library
 */
export async function offeredTools(options: {
  state: GraphState;
  context: Context;
}): Promise<Map<string, ToolRecord>> {
  const { state, context } = options;
  const library = await openResources().library(context);
  const chosen = [...(context.toolIds ?? []), ...context.defaultTools];
  const tools = [...new Set([...state.toolIds, ...context.defaultTools])].flatMap((id) => {
    const tool = library.get(id);
    if (!tool && chosen.includes(id)) {
      const available = library.list().map((record) => record.id);
      throw new UnknownName({ kind: `tool in library ${library.name}`, wanted: id, available });
    }
    // A tool that was removed while the run was under way is no longer on offer.
    return tool ?? [];
  });
  const { byId } = wireNames({ tools, reserved: CONTROL_NAMES });
  return new Map(tools.map((tool) => [byId.get(tool.id) ?? tool.name, tool]));
}
