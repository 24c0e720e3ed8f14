// The build puts the package's code in here (scripts/setup/build.mjs): as a file it loads in a tenth of the time that
// its hundreds of files take, and every command loads it.
export { Kysely, PostgresDialect, SqliteDialect, sql } from "kysely";
