import { cpSync } from "node:fs";
import { join } from "node:path";
import { closeWorkspaces } from "../../home/workspace.js";
import { importTestLibrary } from "../fakes/testLibrary.js";

/** The homes of test files with the small library in them: several files may share this process. */
const imports = new Map<string, Promise<void>>();

/** Makes a home with the small library, whose tools are read only once for all tests of a file. */
export async function copyLibraryHome(folder: string): Promise<string> {
  const template = process.env["TULIPGRAPH_HOME"] ?? "";
  const imported = imports.get(template) ?? importTestLibrary();
  imports.set(template, imported);
  await imported;
  await closeWorkspaces();
  const home = join(folder, "home");
  cpSync(template, home, { recursive: true });
  return home;
}
