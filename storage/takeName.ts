import { existsSync, linkSync, renameSync, rmSync } from "node:fs";

/**
 * Gives a finished file its name, unless somebody else was faster: then theirs stays, which may be in use already.
 *
 * @param draft the file under a name that nobody else knows
 */
export function takeName({ draft, file }: { draft: string; file: string }): void {
  try {
    linkSync(draft, file);
  } catch {
    // Not every disk can give a file two names.
    if (!existsSync(file)) renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
