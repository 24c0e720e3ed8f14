import { InvalidSetting, UnknownName } from "../../common/errors.js";
import { connectedOrigin, type ConnectedSource } from "../../tools/remote.js";
import { reachText, settingsOf } from "../../tools/sources/mcp/settings.js";
import { openWorkspace } from "../../home/workspace.js";
import { printJson, printTable, printLine, tell } from "../printing/print.js";
import { storedLibrary } from "../tools/openLibrary.js";

interface ShownSource extends Pick<ConnectedSource, "name" | "kind"> {
  /** How it is reached, in a few words. */
  at: string;
  libraries: { name: string; tools: number }[];
}

/** `tools list --sources` */
export async function listSources({ json }: { json?: boolean }): Promise<void> {
  const { store } = openWorkspace();
  const shown: ShownSource[] = [];
  for (const source of await store.sources.list()) {
    const { name, kind } = source;
    shown.push({ name, kind, at: placeOf(source), libraries: await librariesOf(source) });
  }
  if (json) return printJson(shown);
  if (shown.length === 0) tell("no MCP servers or OpenAPI documents are imported");
  printTable({
    rows: shown.map(({ name, kind, at, libraries }) => [
      name,
      kind,
      libraries.map((each) => `${each.tools} tools in ${each.name}`).join(", ") || "in no library",
      at,
    ]),
    last: "cut",
  });
}

/** `tools remove --source NAME`: removes its tools from one library, or from all together with the source itself. */
export async function removeSource(options: {
  source: string;
  library?: string;
  json?: boolean;
}): Promise<void> {
  const { source: name, library, json } = options;
  const { store } = openWorkspace();
  const source = await findSource(name);
  const holding = await librariesOf(source);
  const wanted = holding.filter((each) => library === undefined || each.name === library);
  if (library !== undefined && wanted.length === 0) {
    throw new InvalidSetting({
      setting: `--library ${library}`,
      problem: `it has no tools of ${name}`,
      hint: `Those that have: ${holding.map((each) => each.name).join(", ") || "none"}`,
    });
  }
  const removed: string[] = [];
  for (const each of wanted) {
    const opened = await storedLibrary(each.name);
    removed.push(...(await opened.removeOrigin(connectedOrigin(source))));
  }
  // No library uses it any more.
  if (wanted.length === holding.length) await store.sources.remove(name);
  if (json) printJson({ source: name, libraries: wanted.map((each) => each.name), removed });
  else printLine(`source ${name}: ${removed.length} tools removed`);
}

/** @throws UnknownName for a source that is not imported */
export async function findSource(name: string, hint?: string): Promise<ConnectedSource> {
  const { sources } = openWorkspace().store;
  const source = await sources.get(name);
  if (source) return source;
  const available = (await sources.list()).map((each) => each.name);
  throw new UnknownName({ kind: "source", wanted: name, available, hint });
}

function placeOf(source: ConnectedSource): string {
  if (source.kind === "mcp") return reachText(settingsOf(source));
  const { document } = source.settings;
  return typeof document === "string" ? document : "";
}

async function librariesOf(source: ConnectedSource): Promise<ShownSource["libraries"]> {
  const origin = connectedOrigin(source);
  const libraries: ShownSource["libraries"] = [];
  for (const name of await openWorkspace().store.names()) {
    const library = await storedLibrary(name);
    if (!library.origins().some((each) => each.origin === origin)) continue;
    const tools = library.list().filter((tool) => tool.source.file === origin).length;
    libraries.push({ name, tools });
  }
  return libraries;
}
