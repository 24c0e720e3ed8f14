import type { Context } from "../../state/context.js";
import { CATALOGS } from "../../tools/catalogs/index.js";

/** Background facts for the model: the run's own, else those of the catalogue's world. */
export function backgroundOf({ background, library }: Context): string | undefined {
  if (background !== undefined || !Object.hasOwn(CATALOGS, library)) return background;
  return CATALOGS[library]?.background;
}
