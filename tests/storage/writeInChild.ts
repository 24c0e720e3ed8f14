import { setTimeout as wait } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";

/** Holds the write lock of a file without a write-ahead log for half a second. */
const [file] = process.argv.slice(2);
if (!file) throw new Error("the file to write is missing");
const database = new SqliteDatabase(file);
database.exec("CREATE TABLE held (x); BEGIN IMMEDIATE; INSERT INTO held VALUES (1)");
process.send?.("held");
await wait(500);
database.exec("COMMIT");
database.close();
process.disconnect();
