import { createHash, randomUUID } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { LibraryFailed, messageOf } from "../../../common/errors.js";
import { TEXT_FORM } from "./embedding.js";

/** The state of a library that an index was made of. */
export interface IndexState {
  /** The last entry in the histories of the tools. */
  entry: number;
  /** Identifies the library's last entry then, see `entryMark`. */
  mark: string;
}

/** The file beside an index that says what it was made of, with the checksums of its files. */
interface IndexNote extends IndexState {
  form: string;
  /** Differs from that of any other index. */
  id: string;
  checksums: Record<string, string>;
}

const NOTE = "index.json";

/** Changes with the form of the saved files and of the texts that were embedded. */
const FORM = `5.${TEXT_FORM}`;

/** Prefix of folders that are still being written, or no longer used. */
const UNFINISHED = "unfinished-";

/** Folders as earlier versions named them, one for each revision of a library. */
const EARLIER = /^\d+-/;

/** An unfinished folder older than this was left by a process that died; milliseconds. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/** The folder of a library's indexes. Its number makes it unique, as names may differ only in case. */
export function libraryFolder({
  home,
  library,
}: {
  home: string;
  library: { name: string; number: number };
}): string {
  return join(home, "indexes", `${library.number}-${library.name}`);
}

/**
 * Loads the index in a folder; undefined if there is none or it is damaged. Checksums find that out before FAISS sees it,
 * which ends the whole process on some damaged files.
 */
export async function loadIndex<Index>(
  folder: string,
  load: (folder: string) => Promise<Index>,
): Promise<(IndexState & { index: Index }) | undefined> {
  try {
    const { form, id, checksums, entry, mark } = await readNote(folder);
    if (form !== FORM) return undefined;
    for (const [file, checksum] of Object.entries(checksums))
      if ((await checksumOf(join(folder, file))) !== checksum) return undefined;
    const index = await load(folder);
    // Another process may have put another one in its place while the files were read.
    return (await readNote(folder)).id === id ? { index, entry, mark } : undefined;
  } catch {
    // Whatever the reason, a new index is made.
    return undefined;
  }
}

/**
 * Saves an index in a folder. It is written beside it and then renamed, so that no reader sees half of it.
 *
 * @param options.write writes the files of the index into a folder
 * @throws LibraryFailed when it cannot be written
 */
export async function saveIndex(options: {
  library: string;
  folder: string;
  state: IndexState;
  write: (folder: string) => Promise<void>;
}): Promise<void> {
  const { library, folder, state, write } = options;
  const id = randomUUID();
  const beside = (what: string) => join(dirname(folder), `${UNFINISHED}${what}-${id}`);
  const [fresh, former] = [beside("new"), beside("former")];
  try {
    await mkdir(fresh, { recursive: true });
    await write(fresh);
    const checksums: IndexNote["checksums"] = {};
    for (const file of await readdir(fresh)) checksums[file] = await checksumOf(join(fresh, file));
    const note: IndexNote = { form: FORM, id, ...state, checksums };
    await writeFile(join(fresh, NOTE), JSON.stringify(note));
    // If another process is faster, there is none to put away, or its index is in place already and as good.
    await rename(folder, former).catch(unless("ENOENT"));
    await rename(fresh, folder).catch(unless("ENOTEMPTY", "EEXIST"));
    await removeLeft(dirname(folder), id);
  } catch (error) {
    const problem = `its search index cannot be written to ${dirname(folder)} (${messageOf(error)})`;
    const hint = "Free some space or make the folder writable, then try again";
    throw new LibraryFailed({ library, problem, hint }, { cause: error });
  }
}

async function readNote(folder: string): Promise<IndexNote> {
  return JSON.parse(await readFile(join(folder, NOTE), "utf8")) as IndexNote;
}

function unless(...codes: string[]) {
  return (error: NodeJS.ErrnoException) => {
    if (!codes.includes(error.code ?? "")) throw error;
  };
}

/** Removes what this index has replaced, and what dead processes and earlier versions have left. */
async function removeLeft(folder: string, id: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const isUnfinished = name.startsWith(UNFINISHED);
    const isLeft = isUnfinished ? name.endsWith(id) || isAbandoned(path) : EARLIER.test(name);
    if (isLeft) await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** A folder that has vanished was renamed by another process, so it is not abandoned. */
function isAbandoned(path: string): boolean {
  const state = statSync(path, { throwIfNoEntry: false });
  return state !== undefined && Date.now() - state.mtimeMs > ABANDONED_AFTER_MS;
}

async function checksumOf(path: string): Promise<string> {
  const hash = createHash("sha1");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
