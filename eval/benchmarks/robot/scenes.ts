import { z } from "zod";
import { readDataFile } from "../../../common/dataFile.js";
import { BREAKFAST } from "../../../tools/catalogs/robot/breakfast.js";
import { sceneForm } from "../../../tools/catalogs/robot/change.js";
import type { Scene } from "../../../tools/catalogs/robot/state.js";

/** The scenes at the start of the robot's tasks, by name. */
export const ROBOT_SCENES: Readonly<Record<string, Scene>> = {
  breakfast: BREAKFAST,
  ...readDataFile(new URL("scenes.json", import.meta.url), z.record(z.string(), sceneForm)),
};
