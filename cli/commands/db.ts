import { resolve } from "node:path";
import { Command } from "commander";
import { InvalidSetting } from "../../common/errors.js";
import { SERVER_MIGRATIONS } from "../../server/schema.js";
import type { DataPlace } from "../../storage/database.js";
import { copyPlace } from "../../workspace/copying/copyPlace.js";
import {
  isOtherVersion,
  migratePlace,
  placeStatus,
  type StoreStatus,
} from "../../workspace/copying/placeStatus.js";
import { type StoreForm, STORES, placeName } from "../../workspace/copying/stores.js";
import { defaultDatabase, defaultHome } from "../../workspace/home.js";
import { EXIT, type Exit } from "../exit.js";
import { examples } from "../helpExamples.js";
import { printJson, printTable } from "../printing/print.js";
import { whileWorking } from "../printing/whileWorking.js";

interface JsonOption {
  json?: boolean;
}

const ALL: readonly StoreForm[] = [
  ...STORES,
  { name: "server", kind: "tables", migrations: SERVER_MIGRATIONS },
];

/** `tulipgraph db migrate | status | copy FROM TO` */
export function dbCommand(exit: Exit): Command {
  const command = new Command("db")
    .description("The stored data: status, migration, copies. Alone, it shows the status")
    .addHelpText(
      "after",
      examples([
        "tulipgraph db status",
        "TULIPGRAPH_DATABASE_URL=postgres://localhost/tulipgraph tulipgraph db migrate",
        "tulipgraph db copy .tulipgraph postgres://localhost/tulipgraph",
      ]),
    );
  command
    .command("migrate")
    .description("Bring the tables of all stores up to date; running it again changes nothing")
    .option("--json", "print one JSON array")
    .addHelpText("after", examples(["tulipgraph db migrate"]))
    .action(migrate);
  command
    .command("status")
    .description(
      "Show each store's place, version and rows, and how far this home's mirror is behind. Exits with 1 if a store needs a migration",
    )
    .option("--json", "print one JSON array")
    .addHelpText("after", examples(["tulipgraph db status --json"]))
    .action(async (options: JsonOption) => exit(await status(options)));
  command
    .command("copy")
    .description("Copy everything from one place to another, then compare the two")
    .argument("<from>", "postgres://… or the folder of a home")
    .argument("<to>", "postgres://… or the folder of a home")
    .option("--replace", "delete what the target holds first")
    .option("--json", "print one JSON array")
    .addHelpText(
      "after",
      examples(["tulipgraph db copy .tulipgraph postgres://localhost/tulipgraph"]),
    )
    .action(copy);
  return command;
}

function ownPlace(): DataPlace {
  return { home: defaultHome(), url: defaultDatabase() };
}

async function migrate(options: JsonOption): Promise<void> {
  const place = ownPlace();
  await whileWorking(`migrating ${placeName(place)}`, () => migratePlace({ stores: ALL, place }));
  print(await placeStatus({ stores: ALL, place }), options);
}

async function status(options: JsonOption): Promise<number> {
  const all = await placeStatus({ stores: ALL, place: ownPlace() });
  print(all, options);
  return all.some(isOtherVersion) ? EXIT.notSolved : EXIT.done;
}

function print(all: readonly StoreStatus[], { json }: JsonOption): void {
  if (json) return printJson(all);
  printTable({ rows: all.map((each) => [each.store, each.at, versionText(each), rowsText(each)]) });
}

function versionText({ version, known }: StoreStatus): string {
  if (version === known) return `version ${version}`;
  if (version > known) return `version ${version}, newer than this program knows (${known})`;
  return version === 0 ? "not made yet" : `version ${version} of ${known}: tulipgraph db migrate`;
}

function rowsText({ rows, revision, behind }: StoreStatus): string {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const mirror = behind === undefined ? "no mirror here" : `mirror ${behind} behind`;
  return [
    `${total} rows`,
    ...(revision === undefined ? [] : [`revision ${revision}`, mirror]),
  ].join(", ");
}

async function copy(
  fromText: string,
  toText: string,
  { replace, json }: JsonOption & { replace?: boolean },
): Promise<void> {
  const [from, to] = [placeOf(fromText), placeOf(toText)];
  if (placeName(from) === placeName(to)) {
    throw new InvalidSetting({
      setting: "db copy",
      problem: `${placeName(from)} cannot be copied to itself`,
      hint: "Name two places",
    });
  }
  const copied = await whileWorking(`copying to ${placeName(to)}`, () =>
    copyPlace({ stores: ALL, from, to, replace }),
  );
  if (json) return printJson(copied);
  printTable({
    rows: copied.flatMap(({ store, tables }) =>
      Object.entries(tables).map(([table, rows]) => [`${store}.${table}`, `${rows} rows`, "same"]),
    ),
  });
}

function placeOf(text: string): DataPlace {
  if (!/^postgres(ql)?:\/\//.test(text)) return { home: resolve(text) };
  if (!URL.canParse(text)) {
    throw new InvalidSetting({
      setting: "db copy",
      problem: "the address of a database cannot be read",
      hint: "Write postgres://HOST/DATABASE",
    });
  }
  return { home: defaultHome(), url: text };
}
