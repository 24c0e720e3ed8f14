import { openDatabase } from "../../storage/sqlite.js";

const [file, startAt] = process.argv.slice(2);
if (!file) throw new Error("the file to open is missing");
// All children begin in the same instant, however long each took to start.
while (Date.now() < Number(startAt));
const database = openDatabase({
  file,
  migrations: [
    ["CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, body BLOB)"],
    ["INSERT INTO notes (text) VALUES ('migrated')"],
  ],
});
database.prepare("INSERT INTO notes (text) VALUES ('opened')").run();
database.close();
