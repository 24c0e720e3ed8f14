import { SAMPLE_OFFICE } from "../tools/catalogs/office/sample.js";
import { officeWorld } from "../tools/catalogs/office/world.js";
import type { WorldDefinition } from "../tools/runtime/worlds.js";

/**
 * The worlds of the catalogues that ship, as they are when nobody brings data of their own: the office
 * is a small invented one. A world has the name of its catalogue.
 */
export const DEFAULT_WORLDS: readonly WorldDefinition[] = [officeWorld({ tables: SAMPLE_OFFICE })];
