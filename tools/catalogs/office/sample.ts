import { z } from "zod";
import { readDataFile } from "../../../common/dataFile.js";
import {
  type CalendarEvent,
  type Customer,
  DATABASES,
  type Email,
  type OfficeTables,
  type ProjectTask,
  type Row,
  type Visit,
  VISIT_COLUMNS,
} from "./tables.js";

/** A small invented office around the fixed date, so that the tools can be tried without data. */
export const SAMPLE_OFFICE: OfficeTables = readDataFile(
  new URL("sample.json", import.meta.url),
  z.strictObject({
    addresses: z.array(z.string()),
    events: rowsOf<CalendarEvent>(DATABASES.calendar.columns),
    emails: rowsOf<Email>(DATABASES.email.columns),
    visits: rowsOf<Visit>(VISIT_COLUMNS),
    tasks: rowsOf<ProjectTask>(DATABASES.project_management.columns),
    customers: rowsOf<Customer>(DATABASES.customer_relationship_manager.columns),
  }),
);

/** Rows whose cells are in the order of the columns. */
function rowsOf<R extends Row>(columns: readonly string[]) {
  const cells = z.array(z.string().nullable()).length(columns.length);
  return z.array(
    cells.transform(
      (row) => Object.fromEntries(columns.map((column, place) => [column, row[place]])) as R,
    ),
  );
}
