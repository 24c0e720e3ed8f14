import { createHash, randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir, readFile, readdir, rename, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LibraryFailed } from "../../common/errors.js";
import { sha256 } from "./hash.js";
import { readIndex, type SearchIndex } from "./searchIndex.js";
import { TEXT_FORM } from "./toolText.js";

/** What an index was made of. It is of use for exactly this and nothing else. */
export interface IndexKey {
  /** The library's name and its primary key. */
  library: { name: string; number: number };
  revision: number;
  /** Random name of the revision's content, see the schema. */
  content: string;
  /** Name of the embedding model. */
  model: string;
  dimension: number;
}

/** The file beside an index that says what it was made of and how its own files must look. */
interface IndexNote {
  key: string;
  checksums: Record<string, string>;
}

const NOTE = "index.json";

/** Raised by one whenever what is saved beside the vectors changes. */
const INDEX_FORM = 2;

/** How the names of folders begin that are still being written. */
const UNFINISHED = "unfinished-";

/** Unfinished folders that are older than this were left by a process that has died; milliseconds. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/** Where the indexes of one library lie. The number comes first: names may differ in case only. */
export function libraryFolder({
  home,
  library,
}: {
  home: string;
  library: IndexKey["library"];
}): string {
  return join(home, "indexes", `${library.number}-${library.name}`);
}

/**
 * The index that was saved under exactly this key; undefined when there is none, or when its files are
 * torn or foreign. Those are told by their checksums before FAISS sees them.
 */
export async function loadIndex({
  home,
  key,
}: {
  home: string;
  key: IndexKey;
}): Promise<SearchIndex | undefined> {
  const folder = indexFolder({ home, key });
  const note = await readNote(folder);
  if (note?.key !== keyText(key)) return undefined;
  try {
    for (const [file, checksum] of Object.entries(note.checksums)) {
      if ((await checksumOf(join(folder, file))) !== checksum) return undefined;
    }
    return await readIndex(folder);
  } catch {
    // Whatever the reason (another process may have just removed the folder), it is made anew.
    return undefined;
  }
}

/**
 * Saves an index under its key and removes the library's outdated ones. It is written beside its
 * place and renamed, so that no reader ever sees half of it.
 *
 * @throws LibraryFailed when it cannot be written
 */
export async function saveIndex({
  home,
  key,
  index,
}: {
  home: string;
  key: IndexKey;
  index: SearchIndex;
}): Promise<void> {
  const folder = libraryFolder({ home, library: key.library });
  try {
    const unfinished = join(folder, `${UNFINISHED}${process.pid}-${randomUUID()}`);
    await mkdir(unfinished, { recursive: true });
    try {
      await requireSpace({ folder, bytes: index.ids.length * key.dimension * 4 });
      await index.save(unfinished);
      await writeNote({ folder: unfinished, key });
      await putInPlace({ unfinished, place: indexFolder({ home, key }) });
    } finally {
      await removeFolder(unfinished);
    }
    await removeOutdated({ folder, revision: key.revision });
  } catch (error) {
    throw cannotSave({ library: key.library.name, folder, error });
  }
}

function indexFolder({ home, key }: { home: string; key: IndexKey }): string {
  const readable = key.model.replace(/[^A-Za-z0-9.]+/g, "-").slice(0, 40);
  const model = `${readable}-${sha256(key.model).slice(0, 8)}`;
  const folder = libraryFolder({ home, library: key.library });
  return join(folder, `${key.revision}-${model}-${key.dimension}`);
}

/** One text for a key; equal keys have equal texts. */
export function keyText({ library, revision, content, model, dimension }: IndexKey): string {
  return JSON.stringify([
    library.number,
    revision,
    content,
    model,
    dimension,
    TEXT_FORM,
    INDEX_FORM,
  ]);
}

async function readNote(folder: string): Promise<IndexNote | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, NOTE), "utf8")) as IndexNote;
  } catch {
    // Missing or torn: in either case there is no index to use.
    return undefined;
  }
}

async function writeNote({ folder, key }: { folder: string; key: IndexKey }): Promise<void> {
  const files = await readdir(folder);
  const checksums: IndexNote["checksums"] = {};
  for (const file of files) checksums[file] = await checksumOf(join(folder, file));
  const note: IndexNote = { key: keyText(key), checksums };
  await writeFile(join(folder, NOTE), JSON.stringify(note));
}

/** What stands in the place already is broken, or was written just now by another process. */
async function putInPlace({
  unfinished,
  place,
}: {
  unfinished: string;
  place: string;
}): Promise<void> {
  if (await renamed({ from: unfinished, to: place })) return;
  await removeFolder(place);
  // Taken again means that another process was faster: its index is as good.
  await renamed({ from: unfinished, to: place });
}

/** False when there is a folder of that name already. */
async function renamed({ from, to }: { from: string; to: string }): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOTEMPTY" || code === "EEXIST") return false;
    throw error;
  }
}

async function removeOutdated({
  folder,
  revision,
}: {
  folder: string;
  revision: number;
}): Promise<void> {
  for (const entry of await readdir(folder)) {
    const path = join(folder, entry);
    const outdated = entry.startsWith(UNFINISHED)
      ? isAbandoned(path)
      : Number.parseInt(entry, 10) < revision;
    if (outdated) await removeFolder(path);
  }
}

/** A folder that another process has just finished, and so renamed, is not abandoned. */
function isAbandoned(path: string): boolean {
  const state = statSync(path, { throwIfNoEntry: false });
  return state !== undefined && Date.now() - state.mtimeMs > ABANDONED_AFTER_MS;
}

/** Tried again when another process works on the same folder. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** FAISS ends the whole process when it cannot write, so a full disk has to be noticed before. */
async function requireSpace({ folder, bytes }: { folder: string; bytes: number }): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < 2 * bytes) throw new Error(`no space left for ${bytes} bytes`);
}

function cannotSave({
  library,
  folder,
  error,
}: {
  library: string;
  folder: string;
  error: unknown;
}) {
  const problem = error instanceof Error ? error.message : String(error);
  return new LibraryFailed(
    {
      library,
      problem: `its search index cannot be written to ${folder} (${problem})`,
      hint: "Free some space or make the folder writable, then try again",
    },
    { cause: error },
  );
}

async function checksumOf(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}
