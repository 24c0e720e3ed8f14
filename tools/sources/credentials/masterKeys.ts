import { createHash, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { InvalidSetting, messageOf } from "../../../common/errors.js";
import type { DataPlace } from "../../../storage/database.js";
import { makeFolder } from "../../../storage/makeFolder.js";

/** A key that seals the keys of secrets. */
export interface MasterKey {
  /** Says which key has sealed something, and nothing about the key. */
  id: string;
  bytes: Buffer;
}

/** Bytes of a key of AES-256. */
export const KEY_BYTES = 32;

const SETTING = "TULIPGRAPH_KEY";
const HINT = "Make one with: openssl rand -base64 32";

/**
 * The master keys of a home, in TULIPGRAPH_KEY or the file that TULIPGRAPH_KEY_FILE names: the first seals, and the
 * others only open what they have sealed before. A home in SQLite files has a key in the user's own settings by default:
 * `$XDG_CONFIG_HOME/tulipgraph/key`, made when it is first needed.
 *
 * @throws InvalidSetting when there is none, or one of them is not a key
 */
export function masterKeys({ url }: DataPlace): MasterKey[] {
  const { [SETTING]: given, [`${SETTING}_FILE`]: file } = process.env;
  if (given) return keysIn(SETTING, given);
  if (file) return keysIn(file, contentOf(file));
  if (url === undefined) return ownKey();
  throw new InvalidSetting({
    setting: SETTING,
    problem: "is not set, so nothing secret can be kept in the database",
    hint: `${HINT}, and give it to all servers of the database, there or in a file that ${SETTING}_FILE names`,
  });
}

function ownKey(): MasterKey[] {
  const config = process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config");
  const file = join(config, "tulipgraph", "key");
  makeFolder(dirname(file), 0o700);
  try {
    const made = randomBytes(KEY_BYTES).toString("base64");
    writeFileSync(file, `${made}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    // Another process, or an earlier one, has made it.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw unreadable(file, error);
  }
  return keysIn(file, contentOf(file));
}

function keysIn(setting: string, text: string): MasterKey[] {
  const words = text.split(/[\s,]+/).filter(Boolean);
  const keys = words.map((word) =>
    Buffer.from(word, /^[0-9a-f]{64}$/i.test(word) ? "hex" : "base64"),
  );
  const wrong = keys.findIndex(({ length }) => length !== KEY_BYTES);
  if (keys.length > 0 && wrong === -1) return keys.map((bytes) => ({ id: idOf(bytes), bytes }));
  const which = keys.length > 1 ? `key ${wrong + 1} in it` : "it";
  const problem =
    keys.length === 0
      ? "holds no key"
      : `${which} is not ${KEY_BYTES} bytes in base64 or hexadecimal`;
  throw new InvalidSetting({ setting, problem, hint: HINT });
}

/** Digits of a key's id. */
const ID_DIGITS = 8;

function idOf(bytes: Buffer): string {
  const hash = createHash("sha256").update("id of a tulipgraph key").update(bytes);
  return hash.digest("hex").slice(0, ID_DIGITS);
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): InvalidSetting {
  return new InvalidSetting({
    setting: file,
    problem: `the key cannot be read (${messageOf(error)})`,
    hint: "Give it to the user that runs tulipgraph",
  });
}
