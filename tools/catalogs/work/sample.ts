import { z } from "zod";
import { readAsWritten } from "../../../common/dataFile.js";
import type { WorkTables } from "./state.js";

/**
 * The catalog's default company: small and invented, with 120 work items, some comments and time logs. It makes Parcelo,
 * with which shops deliver their goods.
 */
export const SAMPLE_WORK = readAsWritten(
  new URL("sample.json", import.meta.url),
  z.custom<WorkTables>(),
);
