import { openDatabase } from "../../storage/sqlite/sqlite.js";

const [file = ""] = process.argv.slice(2);
try {
  const migrations = [
    ["CREATE TABLE notes (text TEXT)"],
    ["ALTER TABLE notes ADD COLUMN author TEXT"],
  ];
  openDatabase({ file, migrations }).close();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
