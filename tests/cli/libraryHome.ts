import { cpSync } from "node:fs";
import { join } from "node:path";
import { closeWorkspaces } from "../../workspace/workspace.js";
import { importTestLibrary } from "../fakes/testLibrary.js";

/** The home of the test file, with the small library once {@link copyLibraryHome} was called. */
const TEMPLATE = process.env["TULIPGRAPH_HOME"] ?? "";

let imported: Promise<void> | undefined;

/** Makes a home with the small library in a folder, which is read only once for all tests of a file. */
export async function copyLibraryHome(folder: string): Promise<string> {
  imported ??= importTestLibrary();
  await imported;
  await closeWorkspaces();
  const home = join(folder, "home");
  cpSync(TEMPLATE, home, { recursive: true });
  return home;
}
