import type { CommandForm } from "../command.js";
import { explained, oneLine } from "../../common/errors.js";
import { EXPERIENCE_STORE } from "../../memory/experience.js";
import { defaultDatabase, defaultHome } from "../../home/home.js";
import { SERVER_MIGRATIONS } from "../../server/schema.js";
import {
  type Checked,
  type Stores,
  checkFiles,
  checkSchemas,
} from "../../storage/sqlite/checkDatabase.js";
import { CHECKPOINT_MIGRATIONS } from "../../storage/checkpoints/checkpoints.js";
import { fileFolder } from "../../storage/database.js";
import { CONNECTION_MIGRATIONS } from "../../tools/sources/credentials/tables.js";
import { LIBRARY_MIGRATIONS, LIBRARY_STORE } from "../../tools/library/records/schema.js";
import { RUN_MIGRATIONS } from "../../tools/calls/journal/journalSchema.js";
import { EXIT } from "../exit.js";
import { printJson, tell } from "../printing/print.js";

const STORES: Stores = {
  checkpoints: CHECKPOINT_MIGRATIONS,
  connections: CONNECTION_MIGRATIONS,
  libraries: { ...LIBRARY_STORE, sqlite: LIBRARY_MIGRATIONS },
  memory: EXPERIENCE_STORE,
  runs: RUN_MIGRATIONS,
  server: SERVER_MIGRATIONS,
};

/** `tulipgraph db check` */
export const DB: CommandForm = {
  about: "Check the stored data, in files or in a database",
  commands: {
    check: {
      about:
        "Check the stored data, in files or in a database. Reads everything, and says what to do about damage. Exits with 1 if there is any",
      examples: ["tulipgraph db check"],
      run: checkData,
    },
  },
};

async function checkData({ json }: { json?: boolean }): Promise<number> {
  const place = { home: defaultHome(), url: defaultDatabase() };
  const folder = fileFolder(place);
  const checked = [
    ...(place.url === undefined ? [] : await checkSchemas({ url: place.url, stores: STORES })),
    ...checkFiles({ folder, stores: STORES }),
  ];
  const isSound = checked.every((each) => each.isSound);
  if (json) printJson({ isSound, checked });
  else if (checked.length === 0)
    tell(`there are no data yet in ${place.url === undefined ? folder : "the database"}`);
  else process.stdout.write(checked.map((each) => `${lineOf(each)}\n`).join(""));
  return isSound ? EXIT.done : EXIT.notSolved;
}

function lineOf({ name, isSound, schema, problems, hint }: Checked): string {
  if (isSound) return `${name}: sound (schema ${schema})`;
  return oneLine(explained(name, { problem: problems.join("; "), hint }));
}
