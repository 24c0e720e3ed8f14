/**
 * What the tests of mirrors start, with a home, a database and a name: writes pairs of books one after the other, each
 * pair in one write, and tells of each. With `half` it is killed when the database has the second write, before the
 * mirror has it.
 */
import { Client } from "pg";
import { openRows } from "../../../storage/mirror/rowStore.js";
import { BOOKS } from "./books.js";

const [home = "", url = "", name = "", command = ""] = process.argv.slice(2);
const rows = openRows({ place: { home, url }, ...BOOKS });
for (let count = 0; ; count += 1) {
  if (command === "half" && count === 1) dieAfterCommit();
  await rows.write((database) => {
    const insert = database.prepare("INSERT INTO books VALUES (1, ?, NULL, NULL)");
    insert.run(`${name} ${count} a`);
    insert.run(`${name} ${count} b`);
  });
  process.send?.(count + 1);
}

function dieAfterCommit(): void {
  const query = Reflect.get(Client.prototype, "query") as (...args: unknown[]) => unknown;
  Object.assign(Client.prototype, {
    async query(this: Client, ...args: unknown[]): Promise<unknown> {
      const answer = await Reflect.apply(query, this, args);
      if (args[0] === "COMMIT") process.kill(process.pid, "SIGKILL");
      return answer;
    },
  });
}
