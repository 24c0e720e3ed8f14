import { CATALOGS } from "../tools/catalogs/index.js";
import type { LazyWorld } from "../tools/runtime/worlds.js";

/** The worlds of the shipped catalogues, with their own data. */
export const DEFAULT_WORLDS: readonly LazyWorld[] = Object.values(CATALOGS).flatMap(
  ({ world = [] }) => world,
);
