import { execFileSync } from "node:child_process";
import { cpSync, lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./langgraphServer.js";

/** Copies what git would put into a clone, with changes that are not committed yet. */
export function copyClone(folder: string): void {
  const list = ["ls-files", "-z", "-co", "--exclude-standard"];
  const files = execFileSync("git", list, { cwd: ROOT, maxBuffer: 1e7 }).toString();
  for (const file of files.split("\0").filter(Boolean)) {
    // A linked node_modules is not part of the project, and npm would empty its target.
    if (!lstatSync(join(ROOT, file), { throwIfNoEntry: false })?.isFile()) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
}
