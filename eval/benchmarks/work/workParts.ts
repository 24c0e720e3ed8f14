import type { z } from "zod";
import { readDataFile } from "../../../common/dataFile.js";
import { plannedPart, programmedPart } from "./workTask.js";

/** What a list of steps can say; the first five go by what people want, the last two by what is possible. */
export const PARTS = readParts(plannedPart, [
  "triage",
  "sprintPlanning",
  "customerFollowUp",
  "reporting",
  "handOvers",
  "partlySolvable",
  "unsolvable",
]);

/** What no list of steps can say; the last one goes by what is possible. */
export const PROGRAM_PARTS = readParts(programmedPart, [
  "conditions",
  "loops",
  "counts",
  "dates",
  "beyondTheTools",
]);

function readParts<Form extends z.ZodType>(form: Form, names: readonly string[]) {
  return names.map((name) => readDataFile(new URL(`tasks/${name}.json`, import.meta.url), form));
}
