import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { InvalidSetting } from "../../../common/errors.js";
import { KEY_BYTES, type MasterKey } from "./masterKeys.js";

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
