import type { Context } from "../../state/context.js";
import { CATALOGS } from "../../tools/catalogs/index.js";

/** What the model is told about the situation: what the run says, else what the catalogue's world needs. */
export function backgroundOf({ background, library }: Context): string | undefined {
  if (background !== undefined || !Object.hasOwn(CATALOGS, library)) return background;
  return CATALOGS[library]?.background;
}
