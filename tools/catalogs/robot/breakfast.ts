import { readDataFile } from "../../../common/dataFile.js";
import { sceneForm } from "./change.js";

/**
 * The table with which a run begins where nobody says otherwise. Felix and Daniel sit at its ends. The
 * red glass is out of Daniel's reach, and the blue glass is hidden from Felix by the cereals.
 */
export const BREAKFAST = readDataFile(new URL("breakfast.json", import.meta.url), sceneForm);
