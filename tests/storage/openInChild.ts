import { once } from "node:events";
import { openDatabase } from "../../storage/sqlite/sqlite.js";

const [file] = process.argv.slice(2);
if (!file) throw new Error("the file to open is missing");
// All children begin when they are told to, however long each took to start.
const told = once(process, "message");
process.send?.("ready");
await told;
const database = openDatabase({
  file,
  migrations: [
    ["CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, body BLOB)"],
    ["INSERT INTO notes (text) VALUES ('migrated')"],
  ],
});
database.prepare("INSERT INTO notes (text) VALUES ('opened')").run();
database.close();
process.disconnect();
