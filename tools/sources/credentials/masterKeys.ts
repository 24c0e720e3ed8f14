import { createHash, randomBytes, createCipheriv, createDecipheriv } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { InvalidSetting, messageOf } from "../../../common/errors.js";
import type { DataPlace } from "../../../storage/database.js";
import { makeFolder } from "../../../storage/files.js";

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
  let file = "$XDG_CONFIG_HOME/tulipgraph/key";
  try {
    // In a container, a user may have no folder.
    const config = process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config");
    file = join(config, "tulipgraph", "key");
    makeFolder(dirname(file), 0o700);
    const made = randomBytes(KEY_BYTES).toString("base64");
    writeFileSync(file, `${made}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    // Another process, or an earlier one, has made it.
    if (existsSync(file)) return keysIn(file, contentOf(file));
    throw new InvalidSetting({
      setting: file,
      problem: `the key for secrets cannot be made (${messageOf(error)})`,
      hint: `Set XDG_CONFIG_HOME to a folder of the user that runs tulipgraph, or ${SETTING} to a key. ${HINT}`,
    });
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
    throw new InvalidSetting({
      setting: file,
      problem: `the key cannot be read (${messageOf(error)})`,
      hint: "Give it to the user that runs tulipgraph",
    });
  }
}

// A sealed secret is "v1.ID.KEY.SECRET": the id of the master key, a key for this secret alone, sealed by the master
// key, and the secret, sealed by its own key. Rotation seals only the key anew.

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = "v1";

/**
 * Seals a secret with a key of its own.
 *
 * @param of what it belongs to: in another place it does not open
 */
export function sealed(secret: string, of: string, [master]: readonly MasterKey[]): string {
  const own = randomBytes(KEY_BYTES);
  return joined(wrapped(own, of, master), locked(Buffer.from(secret), own, of));
}

/** @throws InvalidSetting when none of the keys opens it, or it was sealed for something else */
export function opened(text: string, of: string, keys: readonly MasterKey[]): string {
  const { id, key, secret } = parts(text);
  try {
    return unlocked(secret, unlocked(key, masterFor(id, keys), of), of).toString("utf8");
  } catch (error) {
    if (error instanceof InvalidSetting) throw error;
    throw new InvalidSetting({
      setting: "a connection",
      problem: `what is stored for ${of} does not open: it was changed, or belongs elsewhere`,
      hint: "Delete it, and connect again",
    });
  }
}

/** The same secret, with its key sealed by the first of the keys; undefined if it is already. */
export function sealedAnew(
  text: string,
  of: string,
  keys: readonly MasterKey[],
): string | undefined {
  const { id, key, secret } = parts(text);
  const [master] = keys;
  if (id === master?.id) return undefined;
  return joined(wrapped(unlocked(key, masterFor(id, keys), of), of, master), secret);
}

function wrapped(own: Buffer, of: string, master: MasterKey | undefined): [string, Buffer] {
  if (!master) throw new TypeError("there is no master key");
  return [master.id, locked(own, master.bytes, of)];
}

function joined([id, key]: [string, Buffer], secret: Buffer): string {
  return [VERSION, id, key.toString("base64url"), secret.toString("base64url")].join(".");
}

function parts(text: string): { id: string; key: Buffer; secret: Buffer } {
  const [, id = "", key = "", secret = ""] = text.split(".");
  return { id, key: Buffer.from(key, "base64url"), secret: Buffer.from(secret, "base64url") };
}

function masterFor(id: string, keys: readonly MasterKey[]): Buffer {
  const key = keys.find((each) => each.id === id);
  if (key) return key.bytes;
  throw new InvalidSetting({
    setting: "TULIPGRAPH_KEY",
    problem: `a connection was sealed with the key ${id}, and the keys given are ${keys.map((each) => each.id).join(", ")}`,
    hint: "Add the old key after the new one, separated by a space",
  });
}

function locked(content: Buffer, key: Buffer, of: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(of));
  const text = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

function unlocked(box: Buffer, key: Buffer, of: string): Buffer {
  const tagEnd = NONCE_BYTES + TAG_BYTES;
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv(CIPHER, key, box.subarray(0, NONCE_BYTES), options);
  decipher.setAAD(Buffer.from(of)).setAuthTag(box.subarray(NONCE_BYTES, tagEnd));
  return Buffer.concat([decipher.update(box.subarray(tagEnd)), decipher.final()]);
}
