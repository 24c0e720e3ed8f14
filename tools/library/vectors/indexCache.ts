import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir, open, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LibraryFailed, TulipgraphError, messageOf } from "../../../common/errors.js";
import { sha256 } from "../records/hash.js";
import { readIndex, type SearchIndex } from "./searchIndex.js";
import { TEXT_FORM } from "./embedding.js";

/** Identifies an index. */
export interface IndexKey {
  /** The library's name and its primary key. */
  library: { name: string; number: number };
  /** Name of the embedding model. */
  model: string;
  dimension: number;
}

/** The state of a library that an index was made of. */
export interface IndexState {
  revision: number;
  /** The last entry in the histories of the tools. */
  entry: number;
  /** Identifies the library's last entry then, see `entryMark`. */
  mark: string;
}

/** The file beside an index that says what it was made of, with the checksums of its files. */
interface IndexNote extends IndexState {
  key: string;
  checksums: Record<string, number>;
}

/** An index that was saved; whether its files are intact is not known yet. */
export interface SavedIndex {
  folder: string;
  note: IndexNote;
}

const NOTE = "index.json";

/** Raised by one whenever the form of the saved files changes. */
const INDEX_FORM = 4;

/** Prefix of folders that are still being written. */
const UNFINISHED = "unfinished-";

/** An unfinished folder older than this was left by a process that died; milliseconds. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/** The folder of a library's indexes. Its number makes it unique, as names may differ only in case. */
export function libraryFolder({
  home,
  library,
}: {
  home: string;
  library: IndexKey["library"];
}): string {
  return join(home, "indexes", `${library.number}-${library.name}`);
}

/** The indexes saved under a key, newest first. */
export async function savedIndexes({
  home,
  key,
}: {
  home: string;
  key: IndexKey;
}): Promise<SavedIndex[]> {
  const library = libraryFolder({ home, library: key.library });
  const saved: SavedIndex[] = [];
  for (const name of await namesIn(library)) {
    if (!name.endsWith(ofModel(key))) continue;
    const folder = join(library, name);
    const note = await readNote(folder);
    if (note?.key === keyText(key)) saved.push({ folder, note });
  }
  return saved.toSorted((one, other) => other.note.revision - one.note.revision);
}

/**
 * Reads a saved index; undefined if its files are damaged. Checksums find that out before FAISS sees them.
 */
export async function loadIndex({ folder, note }: SavedIndex): Promise<SearchIndex | undefined> {
  try {
    for (const [file, checksum] of Object.entries(note.checksums)) {
      if ((await checksumOf(join(folder, file))) !== checksum) return undefined;
    }
    return readIndex(folder);
  } catch {
    // Whatever the reason (another process may just have removed the folder), a new index is made.
    return undefined;
  }
}

/**
 * Saves an index under its key and removes the library's outdated ones. It is written into a temporary folder that is
 * then renamed, so that no reader sees half of it.
 *
 * @param options.write writes the files of the index into a folder
 * @returns the saved index
 * @throws LibraryFailed when it cannot be written; other errors of this project pass unchanged
 */
export async function saveIndex(options: {
  home: string;
  key: IndexKey;
  state: IndexState;
  write: (folder: string) => Promise<void>;
}): Promise<SearchIndex> {
  const { home, key, state, write } = options;
  const folder = libraryFolder({ home, library: key.library });
  try {
    const unfinished = join(folder, `${UNFINISHED}${process.pid}-${randomUUID()}`);
    await mkdir(unfinished, { recursive: true });
    try {
      await write(unfinished);
      const index = readIndex(unfinished);
      await writeNote(unfinished, key, state);
      await putInPlace(unfinished, join(folder, `${state.revision}${ofModel(key)}`));
      await removeOutdated(folder, state.revision);
      return index;
    } finally {
      await removeFolder(unfinished);
    }
  } catch (error) {
    // The library may be gone by now, or its store closed.
    if (error instanceof TulipgraphError) throw error;
    throw cannotSave(key.library.name, folder, error);
  }
}

/** Suffix of the folders of one model. */
function ofModel({ model, dimension }: IndexKey): string {
  const readable = model.replace(/[^A-Za-z0-9.]+/g, "-").slice(0, 40);
  return `-${readable}-${sha256(model).slice(0, 8)}-${dimension}`;
}

/** One text for a key; equal keys have equal texts. */
export function keyText({ library, model, dimension }: IndexKey): string {
  return JSON.stringify([library.number, model, dimension, TEXT_FORM, INDEX_FORM]);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    // Not made yet.
    return [];
  }
}

async function readNote(folder: string): Promise<IndexNote | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, NOTE), "utf8")) as IndexNote;
  } catch {
    // Missing or damaged: either way, there is no index to use.
    return undefined;
  }
}

async function writeNote(folder: string, key: IndexKey, state: IndexState): Promise<void> {
  const files = await readdir(folder);
  const checksums: IndexNote["checksums"] = {};
  for (const file of files) checksums[file] = await checksumOf(join(folder, file));
  const note: IndexNote = { key: keyText(key), ...state, checksums };
  await writeFile(join(folder, NOTE), JSON.stringify(note));
}

/** A folder that has the name already is damaged, or another process has just written it. */
async function putInPlace(unfinished: string, place: string): Promise<void> {
  if (await renamed(unfinished, place)) return;
  await removeFolder(place);
  // If the name is taken again, another process was faster, and its index is as good.
  await renamed(unfinished, place);
}

/** False if there is a folder of that name already. */
async function renamed(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOTEMPTY" || code === "EEXIST") return false;
    throw error;
  }
}

async function removeOutdated(folder: string, revision: number): Promise<void> {
  for (const entry of await readdir(folder)) {
    const path = join(folder, entry);
    const outdated = entry.startsWith(UNFINISHED)
      ? isAbandoned(path)
      : Number.parseInt(entry, 10) < revision;
    if (outdated) await removeFolder(path);
  }
}

/** A folder that has vanished was finished and renamed by another process, so it is not abandoned. */
function isAbandoned(path: string): boolean {
  const state = statSync(path, { throwIfNoEntry: false });
  return state !== undefined && Date.now() - state.mtimeMs > ABANDONED_AFTER_MS;
}

/** Retries if another process is working on the same folder. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

function cannotSave(library: string, folder: string, error: unknown) {
  const problem = messageOf(error);
  return new LibraryFailed(
    {
      library,
      problem: `its search index cannot be written to ${folder} (${problem})`,
      hint: "Free some space or make the folder writable, then try again",
    },
    { cause: error },
  );
}

/** Bytes read at once for a checksum. */
const CHUNK_BYTES = 1 << 22;

/**
 * FNV-1a over 32-bit words: any changed word changes the sum. It protects against accidents only, because a large
 * index has to open quickly.
 */
async function checksumOf(path: string): Promise<number> {
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(CHUNK_BYTES);
    const words = new Int32Array(bytes.buffer, bytes.byteOffset, CHUNK_BYTES / 4);
    let sum = (await file.stat()).size | 0;
    while (true) {
      const { bytesRead } = await file.read(bytes, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return sum;
      bytes.fill(0, bytesRead, Math.ceil(bytesRead / 4) * 4);
      sum = wordSum(sum, words.subarray(0, Math.ceil(bytesRead / 4)));
    }
  } finally {
    await file.close();
  }
}

function wordSum(start: number, words: Int32Array): number {
  let sum = start;
  for (const word of words) sum = Math.imul(sum ^ word, 16_777_619);
  return sum;
}
