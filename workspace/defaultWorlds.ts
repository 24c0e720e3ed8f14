import { CATALOGS } from "../tools/catalogs/index.js";
import type { LazyWorld } from "../tools/runtime/worlds.js";

/** The worlds of the catalogues that ship, as they are when nobody brings data of their own. */
export const DEFAULT_WORLDS: readonly LazyWorld[] = Object.values(CATALOGS).flatMap(
  ({ world = [] }) => world,
);
