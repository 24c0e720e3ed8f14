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
import { printJson, printTable } from "../print.js";
import { whileWorking } from "../whileWorking.js";

interface JsonOption {
  json?: boolean;
}

const ALL: readonly StoreForm[] = [
  ...STORES,
  { name: "server", kind: "tables", migrations: SERVER_MIGRATIONS },
];

/** `tulipgraph db migrate | status | copy FROM TO`: where the data are. */
export function dbCommand(exit: Exit): Command {
  const command = new Command("db")
    .description("Where the data are: migrate, compare, copy")
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
    .description("Bring the tables of all stores up to date; done again, it changes nothing")
    .option("--json", "print one JSON array")
    .addHelpText("after", examples(["tulipgraph db migrate"]))
    .action(migrate);
  command
    .command("status")
    .description(
      "Show where each store is, its version, its rows, and how far the mirror of this home is behind; exit code 1 if something is to be migrated",
    )
    .option("--json", "print one JSON array")
    .addHelpText("after", examples(["tulipgraph db status --json"]))
    .action(async (options: JsonOption) => exit(await status(options)));
  command
    .command("copy")
    .description("Copy everything from one place to another and compare both afterwards")
    .argument("<from>", "postgres://… or the folder of a home")
    .argument("<to>", "postgres://… or the folder of a home")
    .option("--replace", "throw away what the target has")
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

/** Of a database, a home is not needed. */
function placeOf(text: string): DataPlace {
  if (!/^postgres(ql)?:\/\//.test(text)) return { home: resolve(text) };
  if (!URL.canParse(text)) {
    throw new InvalidSetting({
      setting: "db copy",
      problem: "an address of a database cannot be read",
      hint: "Write postgres://HOST/DATABASE",
    });
  }
  return { home: defaultHome(), url: text };
}
