import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { InvalidSetting, messageOf } from "../common/errors.js";
import { type ProjectUi, resolved } from "./projects.js";

/** LangGraph's own builder, which its server brings. */
interface Builder {
  build: (options: {
    cwd: string;
    defs: Record<string, string>;
    config: { shared?: string[] };
    output: string;
  }) => Promise<void>;
}

/** Builds a set of components. @returns its files by name @throws InvalidSetting if it cannot be built */
export async function buildUi(
  { folder, components, shared }: ProjectUi,
  name: string,
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const output = await mkdtemp(join(tmpdir(), "tulipgraph-ui-"));
  const made = new Map<string, Uint8Array<ArrayBuffer>>();
  try {
    const path = resolved("@langchain/langgraph-ui", join(folder, "langgraph.json"));
    const { build } = (await import(pathToFileURL(path).href)) as Builder;
    const defs = { [name]: components[name] ?? "" };
    await build({ cwd: folder, defs, config: { shared }, output });
    const place = join(output, "public", name);
    for (const file of await readdir(place))
      made.set(file, new Uint8Array(await readFile(join(place, file))));
  } catch (error) {
    const problem = `its components cannot be built (${messageOf(error)})`;
    const hint = "LangGraph's own server (@langchain/langgraph-cli) brings what builds them";
    throw new InvalidSetting({ setting: `ui ${name}`, problem, hint });
  } finally {
    await rm(output, { recursive: true, force: true });
  }
  return made;
}
