import type { CommandForm } from "../command.js";
import { InvalidSetting } from "../../common/errors.js";
import { type Keys, type ServerKey, openKeys } from "../../server/access/keys.js";
import { type Scope, SCOPES } from "../../server/access/caller.js";
import { SERVER_MIGRATIONS, type ServerStore, type ServerTables } from "../../server/schema.js";
import { openStore } from "../../storage/database.js";
import { defaultDatabase, defaultHome } from "../../home/home.js";
import { printJson, printTable, printLine, tell, minuteText } from "../printing/print.js";

interface CreateOptions {
  scope: Scope[];
  owner?: string;
  name?: string;
  expires?: string;
  json?: boolean;
}

/** `tulipgraph keys create | list | revoke KEY` */
export const KEYS: CommandForm = {
  about: "Create, list and revoke the server's API keys. Without a subcommand, list them",
  examples: [
    "tulipgraph keys create --scope run --scope read --owner billing --expires 90d",
    "tulipgraph keys revoke key_0123456789",
  ],
  commands: {
    create: {
      about: "Create a key. Its secret is shown only once",
      options: {
        "--scope <scope...>": {
          text: "what the key may do; admin may do everything, for every owner",
          choices: SCOPES,
          isRequired: true,
        },
        "--owner <name>": "whose threads, runs and libraries it sees (default: only its own)",
        "--name <text>": "what the key is for",
        "--expires <time>": "how long it is valid, such as 90d, 12h or 30m (default: forever)",
      },
      examples: ["tulipgraph keys create --scope approve --owner billing"],
      run: (options: CreateOptions) => withKeys((keys) => createKey(keys, options)),
    },
    list: {
      about: "List the keys, newest first, without their secrets",
      examples: ["tulipgraph keys list --json"],
      run: ({ json }: { json?: boolean }) => withKeys((keys) => listKeys(keys, json)),
    },
    revoke: {
      about: "Revoke a key. Servers refuse it within seconds",
      args: { "<key>": "the key's id" },
      examples: ["tulipgraph keys revoke key_0123456789"],
      run: (id: string, { json }: { json?: boolean }) =>
        withKeys(async (keys) => {
          const revoked = await keys.revoke(id);
          if (json) return printJson(revoked);
          printLine(`revoked ${[id, revoked.name].filter(Boolean).join(" ")}`);
        }),
    },
  },
};

async function withKeys(work: (keys: Keys) => Promise<void>): Promise<void> {
  await withServerData((data) => work(openKeys(data)));
}

/** Does work with a server's own data, whether or not one runs. */
export async function withServerData<Result>(work: (data: ServerStore) => Promise<Result>) {
  const place = { home: defaultHome(), url: defaultDatabase() };
  const data = openStore<ServerTables>({ place, store: "server", migrations: SERVER_MIGRATIONS });
  try {
    return await work(data);
  } finally {
    await data.close();
  }
}

async function createKey(keys: Keys, options: CreateOptions): Promise<void> {
  const { owner, name, json } = options;
  const { secret, key } = await keys.create({
    scopes: SCOPES.filter((scope) => options.scope.includes(scope)),
    owner: owner === undefined ? undefined : readOwner(owner),
    name,
    lifetimeMs: options.expires === undefined ? undefined : readTime(options.expires),
  });
  if (json) return printJson({ ...key, secret });
  // The secret alone goes to stdout, so that it can be piped to where it is kept.
  printLine(secret);
  const until = key.expiresAt === null ? "" : `, until ${minuteText(key.expiresAt)}`;
  tell(
    `${key.id} may ${key.scopes.join(", ")} as ${key.owner}${until}; the secret above is not shown again: send it as x-api-key`,
  );
}

async function listKeys(keys: Keys, json?: boolean): Promise<void> {
  const all = await keys.list();
  if (json) return printJson(all);
  if (all.length === 0) {
    tell("there are no keys yet; make one with: tulipgraph keys create --scope run");
    return;
  }
  printTable({ rows: all.map(row) });
}

function row({ id, state, scopes, owner, expiresAt, lastUsedAt, name }: ServerKey): string[] {
  const used = lastUsedAt === null ? "never used" : `used ${minuteText(lastUsedAt)}`;
  const ends = expiresAt === null ? "" : `until ${minuteText(expiresAt)}`;
  return [id, state, scopes.join(","), owner, used, [ends, name].filter(Boolean).join(" ")];
}

/** Characters of an owner's name. */
const LONGEST_OWNER = 200;

function readOwner(owner: string): string {
  if (owner.startsWith("key:")) {
    const hint = `Write ${owner.slice("key:".length)}: key: is put before it`;
    throw new InvalidSetting({ setting: "--owner", problem: `"${owner}" begins with key:`, hint });
  }
  if (owner.trim() === owner && owner !== "" && owner.length <= LONGEST_OWNER) return owner;
  throw new InvalidSetting({
    setting: "--owner",
    problem: `"${owner}" is not a valid owner`,
    hint: `Use 1 to ${LONGEST_OWNER} characters without spaces at the ends`,
  });
}

const UNIT_MS: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000 };

/** Longest time until a key expires: a century, in milliseconds. */
const LONGEST_MS = 36_525 * 86_400_000;

function readTime(text: string): number {
  const [, amount, unit = ""] = /^(\d{1,9})([dhm])$/.exec(text) ?? [];
  const time = Number(amount) * (UNIT_MS[unit] ?? 0);
  if (time > 0 && time <= LONGEST_MS) return time;
  throw new InvalidSetting({
    setting: "--expires",
    problem: `"${text}" is not a time`,
    hint: "Write days, hours or minutes: 90d, 12h, 30m",
  });
}
