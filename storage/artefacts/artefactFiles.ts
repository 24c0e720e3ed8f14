import { createHash, randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { PoolClient } from "pg";
import { type Database, openDatabase, StorageFailed } from "../sqlite/sqlite.js";
import { makeFolder } from "../files.js";
import { grouped } from "../../common/grouped.js";

/** A revision of an artefact: a file that never changes. */
export interface Revision {
  /** The artefact's number in the database. */
  number: number;
  revision: number;
  /** SHA-256 of the hashes of its parts. */
  hash: string;
}

/** A connection, and the schema with the tables of artefacts. */
export interface ArtefactTables {
  client: PoolClient;
  schema: string;
}

/** Bytes of a part. A small change of a file touches a few pages here and there; only parts that differ are sent. */
const PART_BYTES = 64 * 1024;

/** Parts sent or fetched at once. */
const PARTS_AT_ONCE = 64;

/** Revisions of an artefact that are kept, in the database and in a folder, for whoever is about to read them. */
const REVISIONS_KEPT = 3;

/** Revisions open at the same time. */
const MOST_OPEN = 50;

/** The files of fetched revisions; those read last are open. */
export function revisionFiles(folder: string) {
  const open = new Map<string, Database>();
  const folderOf = ({ number }: Revision) => join(folder, String(number));
  const path = (revision: Revision) => join(folderOf(revision), `${revision.hash}.db`);
  return {
    path,
    scratch: () => {
      makeFolder(folder);
      return join(folder, `${randomUUID()}.part`);
    },
    /** Files of the same artefact, the newest first; most of their parts are the same. */
    like: (revision: Revision) => filesIn(folderOf(revision)),
    /** Takes a complete file, and drops those that nobody should need any more. */
    take: (file: string, revision: Revision) => {
      const to = path(revision);
      makeFolder(dirname(to));
      renameSync(file, to);
      for (const old of filesIn(dirname(to)).slice(REVISIONS_KEPT)) rmSync(old, { force: true });
    },
    read: (revision: Revision): Database => {
      const file = path(revision);
      const database = open.get(file) ?? openRevision(file);
      open.delete(file);
      open.set(file, database);
      const [oldest] = open.keys();
      if (open.size > MOST_OPEN && oldest !== undefined) {
        open.get(oldest)?.close();
        open.delete(oldest);
      }
      return database;
    },
    close: () => {
      for (const database of open.values()) database.close();
    },
  };
}

function openRevision(file: string): Database {
  if (existsSync(file)) return openDatabase({ file, use: "read" });
  throw new StorageFailed({ file, problem: "is gone", hint: "Open what it was part of again" });
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .map((file) => ({ file, at: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((one, other) => other.at - one.at)
    .map(({ file }) => file);
}

/** Stores a file as a revision, in the transaction of the connection. Returns its hash. */
export async function storeRevision(
  { client, schema }: ArtefactTables,
  { number, revision, file }: { number: number; revision: number; file: string },
): Promise<string> {
  const parts = Array.from(partsOf(file), ({ hash }) => hash);
  const hash = sha256(parts.join());
  const { rows } = await client.query<{ hash: string }>(
    `SELECT hash FROM ${schema}.parts WHERE artefact = $1`,
    [number],
  );
  const there = new Set(rows.map((row) => row.hash));
  const send = async (some: { hash: string; bytes: Buffer }[]) => {
    await client.query(
      `INSERT INTO ${schema}.parts SELECT $1, * FROM unnest($2::text[], $3::bytea[])`,
      [number, some.map((part) => part.hash), some.map(({ bytes }) => bytes)],
    );
  };
  let waiting: { hash: string; bytes: Buffer }[] = [];
  for (const part of partsOf(file)) {
    if (there.has(part.hash)) continue;
    there.add(part.hash);
    waiting.push({ hash: part.hash, bytes: Buffer.from(part.bytes) });
    if (waiting.length < PARTS_AT_ONCE) continue;
    await send(waiting);
    waiting = [];
  }
  if (waiting.length > 0) await send(waiting);
  await client.query(`INSERT INTO ${schema}.revisions VALUES ($1, $2, $3, $4)`, [
    number,
    revision,
    hash,
    parts,
  ]);
  await prune({ client, schema }, { number, revision });
  return hash;
}

async function prune(
  { client, schema }: ArtefactTables,
  { number, revision }: { number: number; revision: number },
): Promise<void> {
  const { rowCount } = await client.query(
    `DELETE FROM ${schema}.revisions WHERE artefact = $1 AND revision <= $2`,
    [number, revision - REVISIONS_KEPT],
  );
  if (rowCount === 0) return;
  await client.query(
    `DELETE FROM ${schema}.parts WHERE artefact = $1 AND hash NOT IN
     (SELECT unnest(parts) FROM ${schema}.revisions WHERE artefact = $1)`,
    [number],
  );
}

/**
 * Fetches a revision into a file.
 *
 * @param options.like files with parts that need not be fetched if they are the same
 * @returns false if it was pruned meanwhile, so that there are newer ones
 */
export async function fetchRevision(
  { client, schema }: ArtefactTables,
  { number, revision, to, like }: Revision & { to: string; like: readonly string[] },
): Promise<boolean> {
  const { rows } = await client.query<{ parts: string[] }>(
    `SELECT parts FROM ${schema}.revisions WHERE artefact = $1 AND revision = $2`,
    [number, revision],
  );
  const [found] = rows;
  if (!found) return false;
  const places = grouped(found.parts.keys(), (at) => found.parts[at] ?? "");
  const out = openSync(to, "wx", 0o600);
  try {
    const put = (hash: string, bytes: Buffer) => {
      for (const at of places.get(hash) ?? [])
        writeSync(out, bytes, 0, bytes.length, at * PART_BYTES);
      places.delete(hash);
    };
    for (const file of like.slice(0, 1)) {
      for (const { hash, bytes } of partsOf(file)) put(hash, bytes);
    }
    const missing = [...places.keys()];
    for (let from = 0; from < missing.length; from += PARTS_AT_ONCE) {
      const { rows: parts } = await client.query<{ hash: string; bytes: Buffer }>(
        `SELECT hash, bytes FROM ${schema}.parts WHERE artefact = $1 AND hash = ANY($2)`,
        [number, missing.slice(from, from + PARTS_AT_ONCE)],
      );
      for (const { hash, bytes } of parts) put(hash, bytes);
    }
    return places.size === 0;
  } finally {
    closeSync(out);
  }
}

/** The parts of a file, one after another; the bytes are only good until the next one. */
function* partsOf(file: string): Generator<{ hash: string; bytes: Buffer }> {
  const from = openSync(file, "r");
  try {
    const buffer = Buffer.alloc(PART_BYTES);
    for (let at = 0; ; at += PART_BYTES) {
      const bytes = buffer.subarray(0, readSync(from, buffer, 0, PART_BYTES, at));
      if (bytes.length === 0) return;
      yield { hash: sha256(bytes), bytes };
    }
  } finally {
    closeSync(from);
  }
}

function sha256(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex");
}
