import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { InvalidSetting, messageOf } from "../common/errors.js";
import { resolved } from "./projects.js";

/** What a LangGraph.js project shows in chats (`ui` in its file). */
export interface ProjectUi {
  folder: string;
  /** The file of each set of components, by its name. */
  components: Record<string, string>;
  /** Packages that the page gives besides React (`ui_config`). */
  shared?: string[];
}

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
