import { readDataFile } from "../../../common/dataFile.js";
import { sceneForm } from "./change.js";

/**
 * The table with which a run begins by default. Felix and Daniel sit at its ends. The red glass is out of Daniel's reach,
 * and the cereals hide the blue glass from Felix.
 */
export const BREAKFAST = readDataFile(new URL("breakfast.json", import.meta.url), sceneForm);
