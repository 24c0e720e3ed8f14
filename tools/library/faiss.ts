import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Index } from "faiss-node";
import { LibraryFailed } from "../../common/errors.js";
import { packageRoot } from "../../storage/packageRoot.js";

const require = createRequire(import.meta.url);

/**
 * Loads FAISS, which happens on first use only. Its native part, where it is missing, is fetched or built
 * first (scripts/setup), since npm does not.
 *
 * @throws LibraryFailed when its native part is missing and cannot be had
 */
export async function requireFaiss(library: string): Promise<void> {
  try {
    if (!bindingLoads()) await setUpFaiss();
    loadFaiss();
  } catch (error) {
    const problem = "FAISS, which searches it, cannot be loaded";
    const reason = error instanceof Error ? error.message : String(error);
    throw new LibraryFailed({ library, problem: `${problem}: ${reason}` }, { cause: error });
  }
}

/**
 * Reads an index file of any kind. It has to be known to be whole: FAISS ends the whole process on some that
 * are not.
 */
export function readFaissIndex(file: string): Index {
  return loadFaiss().Index.read(file);
}

/** By `require`, since an `import` that has failed once fails for the life of a process. */
function loadFaiss(): typeof import("faiss-node") {
  return require("faiss-node") as typeof import("faiss-node");
}

function bindingLoads(): boolean {
  try {
    loadFaiss();
    return true;
  } catch {
    // Whatever the reason, the set-up tries the ways there are, and says what is wrong with each.
    return false;
  }
}

async function setUpFaiss(): Promise<void> {
  const script = join(packageRoot(), "scripts/setup/faiss-first-use.mjs");
  const module = (await import(pathToFileURL(script).href)) as { setUpFaiss: () => Promise<void> };
  await module.setUpFaiss();
}
