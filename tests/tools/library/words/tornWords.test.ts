import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { openDatabase } from "../../../../storage/sqlite.js";
import { LIBRARY_MIGRATIONS } from "../../../../tools/library/records/schema.js";
import { tool, workshop } from "../support.js";

const shop = workshop();
afterEach(shop.clear);

const TOOLS = ["send_email", "create_event", "list_customers"].map((id) => tool(id));

/** Damage to the tables of words, as by a disk or by hand. */
const HARMS = [
  "DELETE FROM words",
  "DELETE FROM words WHERE word = 'email'",
  "DELETE FROM word_segments",
  "DELETE FROM word_states",
  "UPDATE words SET entries = x'01' WHERE word = 'email'",
  "UPDATE words SET entries = x'' WHERE word = 'email'",
  "UPDATE word_segments SET numbers = x'00000000'",
  "UPDATE word_states SET content = 'another'",
];

it.each(HARMS)("words are rebuilt after %s, and nothing is lost", async (harm) => {
  const home = shop.newHome();
  const library = await shop.openLibrary({ home });
  await library.sync({ origin: "office", fingerprint: "1", tools: TOOLS });
  const question = { phrases: ["email"], topK: 3, ranking: "words" as const };
  const before = await library.search(question);
  const database = openDatabase({
    file: join(home, "libraries.db"),
    migrations: LIBRARY_MIGRATIONS,
  });
  database.exec(harm);
  database.close();
  const again = await shop.openLibrary({ home });
  expect((await again.search(question)).results).toEqual(before.results);
  expect(again.list().map(({ id }) => id)).toEqual(TOOLS.map(({ id }) => id));
});

it("words that have followed edits are known to be intact", async () => {
  const home = shop.newHome();
  const library = await shop.openLibrary({ home });
  await library.sync({ origin: "office", fingerprint: "1", tools: TOOLS });
  const question = { phrases: ["telegram"], topK: 1, ranking: "words" as const };
  await library.search(question);
  await library.sync({
    origin: "office",
    fingerprint: "2",
    tools: [...TOOLS, tool("send_telegram")],
  });
  await library.remove(["create_event"]);
  const stamp = () => {
    const file = join(home, "libraries.db");
    const database = openDatabase({ file, migrations: LIBRARY_MIGRATIONS });
    const rows = database.prepare("SELECT rowid FROM words ORDER BY rowid").pluck().all();
    database.close();
    return rows;
  };
  const before = stamp();
  const { results } = await (await shop.openLibrary({ home })).search(question);
  expect(results[0]?.hits[0]?.id).toBe("send_telegram");
  expect(stamp()).toEqual(before);
});
