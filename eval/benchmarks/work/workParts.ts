import type { z } from "zod";
import { readDataFile } from "../../../common/dataFile.js";
import { plannedPart, programmedPart } from "./workTask.js";

/** Tasks for lists of steps; the first five parts differ by what people want, the last two by what is possible. */
export const PARTS = readParts(plannedPart, [
  "triage",
  "sprintPlanning",
  "customerFollowUp",
  "reporting",
  "handOvers",
  "partlySolvable",
  "unsolvable",
]);

/** Tasks that no list of steps can express; the last part differs by what is possible. */
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
