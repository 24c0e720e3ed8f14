import type { Database } from "../storage/sqlite.js";
import type { ExperienceStats, ToolMeasure } from "./experience.js";

/** What calls of tools took on average, from the sums kept for each tool. */
export function readMeasures(options: {
  database: Database;
  library: string;
  tools?: readonly string[];
}): ToolMeasure[] {
  const { database, library, tools } = options;
  return database
    .prepare(
      `SELECT id AS tool, calls, helpful, judged, total_ms / calls AS meanMs,
         total_result_tokens / calls AS meanResultTokens, total_cost / calls AS meanCost
       FROM tools
       WHERE library = (SELECT number FROM libraries WHERE name = ?1)
         AND (?2 IS NULL OR id IN (SELECT value FROM json_each(?2)))
       ORDER BY number`,
    )
    .all(library, tools ? JSON.stringify(tools) : null) as ToolMeasure[];
}

/** The names of the libraries with experience, sorted. */
export function libraryNames(database: Database): string[] {
  return database
    .prepare("SELECT name FROM libraries WHERE number IN (SELECT library FROM tools) ORDER BY name")
    .pluck()
    .all() as string[];
}

/** How much is known of a library, or of all. */
export function readStats({
  database,
  library,
}: {
  database: Database;
  library?: string;
}): ExperienceStats {
  const chosen = "(SELECT number FROM libraries WHERE ?1 IS NULL OR name = ?1)";
  return (
    database
      .prepare(
        `SELECT coalesce(sum(calls), 0) AS usages,
         (SELECT count(*) FROM queries WHERE library IN ${chosen}
            AND number IN (SELECT query FROM usages)) AS queries,
         count(*) AS tools,
         coalesce(sum(helpful), 0) AS helpful,
         coalesce(sum(judged - helpful), 0) AS unhelpful,
         coalesce(sum(calls - judged), 0) AS unjudged
       FROM tools WHERE library IN ${chosen}`,
      )
      // In a list, because libsql takes a lone null for named parameters.
      .get([library ?? null]) as ExperienceStats
  );
}
