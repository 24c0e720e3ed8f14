import SqliteDatabase from "better-sqlite3";

/** Uses a file as another program would: opens it, adds a note, and closes it. */
const [file] = process.argv.slice(2);
if (!file) throw new Error("the file to use is missing");
const database = new SqliteDatabase(file);
database.exec("INSERT INTO notes (text) VALUES ('by another process')");
database.close();
