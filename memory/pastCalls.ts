import type { Database } from "../storage/sqlite/sqlite.js";
import { type HelpfulnessJudge, type PastCall, numbering, withoutNul } from "./experience.js";

/** Results are cut to this many characters; more says nothing new about a call. */
const RESULT_CHARACTERS = 32_768;

/** Calls read from the file at a time. */
const PAGE_SIZE = 1000;

/**
 * Adds new past calls and counts them for their tools. A known call that nobody could judge takes a verdict. Must run in a
 * write transaction.
 */
export function addPastCalls(database: Database, pastCalls: readonly PastCall[]): number {
  const libraryNumber = numbering(database, { table: "libraries", columns: ["name"] });
  const queryNumber = numbering(database, { table: "queries", columns: ["library", "text"] });
  const toolNumber = numbering(database, { table: "tools", columns: ["library", "id"] });
  const known = database.prepare("SELECT number, tool, helpful FROM usages WHERE id = ?");
  const judge = database.prepare("UPDATE usages SET helpful = ?, judged_by = ? WHERE number = ?");
  const insert = database.prepare(
    `INSERT INTO usages (id, query, tool, args, result, failed, helpful, judged_by, cost, ms, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const count = database.prepare(
    "UPDATE tools SET calls = calls + ?, judged = judged + ?, helpful = helpful + ? WHERE number = ?",
  );
  let added = 0;
  for (const pastCall of pastCalls) {
    const { id, result, failed, helpful, judgedBy, cost, ms, at } = pastCall;
    const before = known.get(id) as
      | { number: number; tool: number; helpful: number | null }
      | undefined;
    if (before && before.helpful === null && helpful !== null) {
      judge.run(Number(helpful), judgedBy, before.number);
      count.run(0, 1, Number(helpful), before.tool);
    }
    if (before) continue;
    const library = libraryNumber(pastCall.library);
    const query = queryNumber(library, pastCall.query);
    const tool = toolNumber(library, pastCall.tool);
    const verdict = helpful === null ? null : Number(helpful);
    const args = JSON.stringify(pastCall.args);
    insert.run(id, query, tool, args, result, Number(failed), verdict, judgedBy, cost, ms, at);
    count.run(1, Number(verdict !== null), verdict ?? 0, tool);
    added += 1;
  }
  return added;
}

/** Without NUL, where SQLite would end a text. */
export function storableCall(pastCall: PastCall): PastCall {
  return {
    ...pastCall,
    id: withoutNul(pastCall.id),
    library: withoutNul(pastCall.library),
    query: withoutNul(pastCall.query),
    tool: withoutNul(pastCall.tool),
    result: withoutNul(pastCall.result.slice(0, RESULT_CHARACTERS)),
  };
}

/** Reads past calls in the order they were added, page by page, so that others can add calls in between. */
export function* readPastCalls(options: {
  connect: () => Database;
  library?: string;
}): Generator<PastCall> {
  const { connect, library } = options;
  for (let last = 0; ;) {
    const rows = connect()
      .prepare(
        `SELECT usages.*, libraries.name AS library, queries.text AS query_text, tools.id AS tool_id
         FROM usages
         JOIN queries ON queries.number = usages.query
         JOIN tools ON tools.number = usages.tool
         JOIN libraries ON libraries.number = tools.library
         WHERE usages.number > ? AND libraries.name = coalesce(?, libraries.name)
         ORDER BY usages.number LIMIT ?`,
      )
      .all(last, library ?? null, PAGE_SIZE) as PastCallRow[];
    for (const row of rows) yield pastCallOf(row);
    if (rows.length < PAGE_SIZE) return;
    last = rows.at(-1)?.number ?? last;
  }
}

interface PastCallRow {
  number: number;
  id: string;
  library: string;
  query_text: string;
  tool_id: string;
  args: string;
  result: string;
  failed: number;
  helpful: number | null;
  judged_by: HelpfulnessJudge;
  cost: number;
  ms: number;
  at: number;
}

function pastCallOf(row: PastCallRow): PastCall {
  const { id, library, result, cost, ms, at } = row;
  return {
    id,
    library,
    query: row.query_text,
    tool: row.tool_id,
    args: JSON.parse(row.args) as Record<string, unknown>,
    result,
    failed: row.failed === 1,
    helpful: row.helpful === null ? null : row.helpful === 1,
    judgedBy: row.judged_by,
    cost,
    ms,
    at,
  };
}
