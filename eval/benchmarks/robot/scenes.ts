import { z } from "zod";
import { readAsWritten } from "../../../common/dataFile.js";
import { BREAKFAST } from "../../../tools/catalogs/robot/world.js";
import type { Scene } from "../../../tools/catalogs/robot/state.js";

/** The scenes at the start of the robot's tasks, by name. */
export const ROBOT_SCENES: Readonly<Record<string, Scene>> = {
  breakfast: BREAKFAST,
  ...readAsWritten(new URL("scenes.json", import.meta.url), z.custom<Record<string, Scene>>()),
};
