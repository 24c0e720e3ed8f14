/**
 * What the tests of artefacts start, with a folder, a database and a name: adds pairs of notes to an artefact one after
 * the other, each pair in one change, and tells of each. With `sent`, it is killed before the commit of its second one.
 */
import { Client } from "pg";
import { openNotes } from "./notes.js";

const [folder = "", url = "", name = "", command = ""] = process.argv.slice(2);
const notes = openNotes({ folder, url });
for (let count = 0; ; count += 1) {
  if (command === "sent" && count === 1) dieBeforeCommit();
  await notes.write(["notes"], (databaseOf) => {
    const insert = databaseOf("notes").prepare("INSERT INTO notes (text) VALUES (?)");
    insert.run(`${name} ${count} a`);
    insert.run(`${name} ${count} b`);
  });
  process.send?.(count + 1);
}

function dieBeforeCommit(): void {
  const query = Reflect.get(Client.prototype, "query") as (...args: unknown[]) => unknown;
  Object.assign(Client.prototype, {
    async query(this: Client, ...args: unknown[]): Promise<unknown> {
      if (args[0] === "COMMIT") process.kill(process.pid, "SIGKILL");
      return await Reflect.apply(query, this, args);
    },
  });
}
