import { SAMPLE_OFFICE } from "../tools/catalogs/office/sample.js";
import { officeWorld } from "../tools/catalogs/office/world.js";
import { BREAKFAST } from "../tools/catalogs/robot/breakfast.js";
import { robotWorld } from "../tools/catalogs/robot/world.js";
import { SAMPLE_WORK } from "../tools/catalogs/work/sample.js";
import { workWorld } from "../tools/catalogs/work/world.js";
import type { WorldDefinition } from "../tools/runtime/worlds.js";

/**
 * The worlds of the catalogues that ship, as they are when nobody brings data of their own: the office
 * and the company with its work items are small invented ones, and the robot stands at a breakfast table.
 * A world has the name of its catalogue.
 */
export const DEFAULT_WORLDS: readonly WorldDefinition[] = [
  officeWorld({ tables: SAMPLE_OFFICE }),
  robotWorld({ scenes: { breakfast: BREAKFAST }, start: "breakfast" }),
  workWorld({ tables: SAMPLE_WORK }),
];
