import { z } from "zod";
import { InvalidSetting } from "../../../common/errors.js";
import type { OfficeChange, TableChange } from "./state.js";
import { DATABASES, type Database } from "./tables.js";

const row = z.record(z.string(), z.string().nullable());

// Defaults are functions, because a world changes its lists in place.
const tableChange = z.strictObject({
  added: z.array(row).default(() => []),
  deleted: z.array(z.string()).default(() => []),
  changed: z.record(z.string(), row).default(() => ({})),
});

const databaseChange = tableChange.prefault({});

const officeChange: z.ZodType<OfficeChange> = z.strictObject({
  calendar: databaseChange,
  email: databaseChange,
  project_management: databaseChange,
  customer_relationship_manager: databaseChange,
  plots: z.array(z.string()).default(() => []),
});

/**
 * Reads a change from its JSON form, in which empty parts may be left out:
 * `{ calendar?: { added?, deleted?, changed? }, email?, …, plots? }`.
 *
 * @returns a change that shares nothing with `form`
 * @throws InvalidSetting if the form has another shape
 */
export function changeFrom(form: unknown): OfficeChange {
  const parsed = officeChange.safeParse(form);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new InvalidSetting({
    setting: "change of the office",
    problem: `${issue?.path.join(".") || "the whole"}: ${issue?.message ?? "not readable"}`,
    hint: `It holds any of ${Object.keys(DATABASES).join(", ")} with added, deleted and changed, and plots`,
  });
}

/** The JSON form of a change, without empty parts; shares nothing with `change`. */
export function formOf({ plots, ...tables }: OfficeChange): Record<string, unknown> {
  const databases = Object.keys(DATABASES) as Database[];
  const forms = databases.map((database) => [database, tableForm(tables[database])] as const);
  return structuredClone({
    ...Object.fromEntries(forms.filter(([, form]) => Object.keys(form).length > 0)),
    ...(plots.length > 0 ? { plots } : {}),
  });
}

function tableForm({ added, deleted, changed }: TableChange): Partial<TableChange> {
  return {
    ...(added.length > 0 ? { added } : {}),
    ...(deleted.length > 0 ? { deleted } : {}),
    ...(Object.keys(changed).length > 0 ? { changed } : {}),
  };
}
