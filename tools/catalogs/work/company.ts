import { z } from "zod";
import { readAsWritten, readDataFile } from "../../../common/dataFile.js";
import { companyForm } from "./change.js";
import type { WorkTables } from "./state.js";

/** The invented company without its work: it makes Parcelo, with which shops deliver what they sell. */
export const COMPANY: Pick<WorkTables, "sprints" | "parts" | "customers" | "users"> = readAsWritten(
  new URL("company.json", import.meta.url),
  companyForm,
);

const texts = z.array(z.string()).min(1);

const byType = z.strictObject({ issue: texts, ticket: texts, task: texts });

/** What work items say. */
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
