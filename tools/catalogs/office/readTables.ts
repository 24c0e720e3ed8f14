import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CsvError, parse } from "csv-parse/sync";
import { InvalidSetting, messageOf } from "../../../common/errors.js";
import { DATABASES, type OfficeTables, type Row, VISIT_COLUMNS } from "./tables.js";

/** Columns in which a cell may be empty. */
const MAY_BE_EMPTY = new Set([
  "customer_email",
  "customer_phone",
  "last_contact_date",
  "product_interest",
  "follow_up_by",
  "notes",
]);

/**
 * Reads an office from a folder with the six CSV files of WorkBench: calendar_events.csv, emails.csv,
 * analytics_data.csv, project_tasks.csv, customer_relationship_manager_data.csv and email_addresses.csv, the only one
 * without a header. An empty cell is null.
 *
 * @throws InvalidSetting with file and line for a missing file or column, a cell that must not be empty, an id that is not
 * a number or occurs twice, and invalid CSV
 */
export function readOfficeTables(folder: string): OfficeTables {
  const { calendar, email, project_management, customer_relationship_manager } = DATABASES;
  const read = (name: string, layout: TableLayout) => readTable(join(folder, name), layout);
  const tables: Record<keyof OfficeTables, readonly unknown[]> = {
    events: read("calendar_events.csv", calendar),
    emails: read("emails.csv", email),
    visits: read("analytics_data.csv", { columns: VISIT_COLUMNS }),
    tasks: read("project_tasks.csv", project_management),
    customers: read("customer_relationship_manager_data.csv", customer_relationship_manager),
    addresses: readAddresses(join(folder, "email_addresses.csv")),
  };
  // Every column of every row has been checked.
  return tables as OfficeTables;
}

interface TableLayout {
  columns: readonly string[];
  /** The column of unique ids. */
  idColumn?: string;
}

function readTable(file: string, { columns, idColumn }: TableLayout): Row[] {
  const [header, ...rows] = readRows(file);
  const names = header?.cells ?? [];
  const missing = columns.filter((column) => !names.includes(column));
  if (missing.length > 0) {
    const has = names.length > 0 ? `it has ${names.join(", ")}` : "it is empty";
    throw unusable(file, `missing columns: ${missing.join(", ")}; ${has}`, 1);
  }
  const firstLines = new Map<string, number>();
  return rows.map(({ cells, line }) => {
    const row = Object.fromEntries(
      columns.map((column) => [column, cells[names.indexOf(column)] || null]),
    );
    const empty = columns.find((column) => row[column] === null && !MAY_BE_EMPTY.has(column));
    if (empty !== undefined) throw unusable(file, `the cell ${empty} is empty`, line);
    const id = idColumn === undefined ? null : (row[idColumn] ?? null);
    if (idColumn === undefined || id === null) return row;
    const problem = idProblem(idColumn, id, firstLines.get(id));
    if (problem !== undefined) throw unusable(file, problem, line);
    firstLines.set(id, line);
    return row;
  });
}

function idProblem(
  idColumn: string,
  id: string,
  firstLine: number | undefined,
): string | undefined {
  if (!/^\d{1,15}$/.test(id)) return `the cell ${idColumn} is not a number: "${id}"`;
  return firstLine === undefined
    ? undefined
    : `${idColumn} ${id} is that of line ${firstLine}, too`;
}

function readAddresses(file: string): string[] {
  return readRows(file).flatMap(({ cells: [address] }) => address || []);
}

/** The rows of a CSV file, each with the line on which it ends. */
function readRows(file: string): { cells: string[]; line: number }[] {
  const text = readText(file);
  try {
    const records: unknown = parse(text, { bom: true, info: true, skip_empty_lines: true });
    // With `info` the parser returns every record with its position.
    return (records as { record: string[]; info: { lines: number } }[]).map(({ record, info }) => ({
      cells: record,
      line: info.lines,
    }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw unusable(file, error.message, Number(error["lines"]));
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const problem = `cannot be read (${messageOf(error)})`;
    throw unusable(file, problem);
  }
}

function unusable(file: string, problem: string, line?: number): InvalidSetting {
  return new InvalidSetting({
    setting: `office data ${file}${line === undefined ? "" : `:${line}`}`,
    problem,
    hint: "An office is six CSV files in the form of WorkBench",
  });
}
