import { z } from "zod";
import { readAsWritten, readDataFile } from "../../../common/dataFile.js";
import { companyForm } from "./change.js";
import type { WorkTables } from "./state.js";

/** The invented company without its work items. It makes Parcelo, with which shops deliver their goods. */
export const COMPANY: Pick<WorkTables, "sprints" | "parts" | "customers" | "users"> = readAsWritten(
  new URL("company.json", import.meta.url),
  companyForm,
);

const texts = z.array(z.string()).min(1);

const byType = z.strictObject({ issue: texts, ticket: texts, task: texts });

/** Sample texts of work items. */
export const {
  titles: TITLES,
  bodies: BODIES,
  labels: LABELS,
  comments: COMMENTS,
} = readDataFile(
  new URL("sampleTexts.json", import.meta.url),
  z.strictObject({
    /** "#" stands for the name of the part. */
    titles: byType,
    bodies: byType,
    labels: texts,
    comments: texts,
  }),
);
