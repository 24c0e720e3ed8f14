import type { Context } from "../../state/context.js";
import { runWorkspace } from "../../workspace/workspace.js";
import type { ToolOffer } from "../shared/offeredTools.js";

/**
 * Whether the model may search for other tools than those on offer, and there are any: not where all of the
 * library is on offer, and not once no tool may be called any more, as then the work has to end.
 */
export async function mayFindMore(options: {
  context: Context;
  offer: ToolOffer;
}): Promise<boolean> {
  const { context, offer } = options;
  const { offered, forbidden, useless } = offer;
  if (!context.searchWhileActing || offered.size === 0) return false;
  const library = await runWorkspace().library(context);
  const known = new Set(
    [offered, forbidden, useless].flatMap((tools) => [...tools.values()].map(({ id }) => id)),
  );
  const { toolIds } = context;
  if (!toolIds) return library.size > known.size;
  return toolIds.some((id) => !known.has(id) && library.get(id) !== undefined);
}
