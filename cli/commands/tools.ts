import { resolve } from "node:path";
import { Command } from "commander";
import { InvalidSetting, UnknownName } from "../../errors.js";
import { libraryNames, openStoredLibrary } from "../../resources/libraries.js";
import { openResources } from "../../resources/resources.js";
import { missThreshold, parseContext } from "../../state/context.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { importInto } from "../importFile.js";
import { printJson, printTable } from "../print.js";
import { toNumber } from "../runOptions.js";
import { whileWorking } from "../whileWorking.js";

interface LibraryOptions {
  library?: string;
  embeddings?: string;
  json?: boolean;
}

/** `tulipgraph tools list | show | search | import | remove` */
export function toolsCommand(): Command {
  const command = new Command("tools").description("Tool libraries and their tools");
  withLibrary(command.command("list", { isDefault: true }))
    .description("List the tools of a library, or all libraries with --libraries")
    .option("--libraries", "list the libraries instead")
    .action(listTools);
  withLibrary(command.command("show"))
    .description("Show a tool: its schema, source and version")
    .argument("<id>", "the tool's id")
    .action(showTool);
  withLibrary(command.command("search"))
    .description("Find tools by meaning, as the agent does")
    .argument("<phrase...>", "what the tool does")
    .option("-k, --top-k <n>", "tools to find", toNumber)
    .option("--threshold <x>", "squared L2 distance at which a hit is a miss; 0 for none", toNumber)
    .action(searchTools);
  withLibrary(command.command("import"))
    .description("Make the exported functions and LangChain tools of files tools of a library")
    .argument("<files...>", "TypeScript or JavaScript files")
    .option("--description <text>", "what the library is about, where it is new")
    .action(importFiles);
  withLibrary(command.command("remove"))
    .description("Remove tools, or all tools of a file; their history stays")
    .argument("[ids...]", "the tools' ids")
    .option("--file <file>", "the file whose tools are to be removed")
    .action(removeTools);
  return command;
}

function withLibrary(command: Command): Command {
  return command
    .option("--library <name>", "the library")
    .option("--embeddings <provider:name>", "embedding model of the library")
    .option("--json", "print JSON");
}

async function openLibrary({ library, embeddings }: LibraryOptions): Promise<ToolLibrary> {
  const context = parseContext({ library, embeddings });
  return await whileWorking(`indexing the library ${context.library}`, () =>
    openResources().library(context),
  );
}

async function listTools(options: LibraryOptions & { libraries?: boolean }): Promise<void> {
  if (options.libraries) return listLibraries(options.json);
  const tools = (await openLibrary(options)).list();
  if (options.json) return printJson(tools);
  printTable(tools.map(({ id, description }) => [id, description.replaceAll(/\s+/g, " ")]));
}

function listLibraries(json?: boolean): void {
  const { store } = openResources();
  const libraries = libraryNames(store).map((name) => {
    const known = store.describe(name);
    return { name, tools: known?.size, description: known?.description ?? "" };
  });
  if (json) return printJson(libraries);
  printTable(
    libraries.map(({ name, tools, description }) => [
      name,
      tools === undefined ? "not used yet" : `${tools} tools`,
      description,
    ]),
  );
}

async function showTool(id: string, options: LibraryOptions): Promise<void> {
  const library = await openLibrary(options);
  const tool = library.get(id);
  if (!tool) throw unknownTool(library, id);
  if (options.json) return printJson(tool);
  const { parameters, returns, source, version, effects } = tool;
  printTable([
    [tool.id, tool.description.replaceAll(/\s+/g, " ")],
    ["parameters", JSON.stringify(parameters)],
    ["returns", JSON.stringify(returns ?? {})],
    ["effects", effects],
    ["source", `${source.exportName} in ${source.file}`],
    ["version", `${version}`],
  ]);
}

async function searchTools(
  words: string[],
  options: LibraryOptions & { topK?: number; threshold?: number },
): Promise<void> {
  const { library: name, embeddings, topK, threshold } = options;
  const context = parseContext({ library: name, embeddings, topK, threshold });
  const library = await openLibrary(options);
  const { results } = await library.search({
    phrases: [words.join(" ")],
    topK: context.topK,
    threshold: missThreshold(context),
  });
  const hits = results.flatMap((result) => result.hits);
  if (options.json) return printJson(hits);
  if (hits.length === 0) process.stderr.write("nothing in the library is near enough\n");
  printTable(
    hits.map(({ id, distance }) => [id, distance.toFixed(3), library.get(id)?.description ?? ""]),
  );
}

async function importFiles(
  files: string[],
  options: LibraryOptions & { description?: string },
): Promise<void> {
  for (const file of files) {
    const done = await importInto({ ...options, file });
    if (options.json) printJson(done);
    else {
      const counts = (["added", "updated", "unchanged", "removed"] as const)
        .filter((kind) => done[kind].length > 0)
        .map((kind) => `${done[kind].length} ${kind}`);
      process.stdout.write(`library ${done.library}: ${counts.join(", ")}\n`);
    }
  }
}

async function removeTools(
  ids: string[],
  options: LibraryOptions & { file?: string },
): Promise<void> {
  const { library: name, embeddings, file } = options;
  if (ids.length > 0 === (file !== undefined)) {
    throw new InvalidSetting({
      setting: "tools remove",
      problem:
        ids.length > 0 ? "both ids and --file are given" : "neither ids nor --file are given",
      hint: "name the tools, or a file whose tools are to be removed",
    });
  }
  const context = parseContext({ library: name, embeddings });
  // Not brought up to date first: the file may be gone, which is why its tools are removed.
  const library = await openStoredLibrary({ store: openResources().store, context });
  const removed = file === undefined ? ids : await library.removeOrigin(resolve(file));
  if (file === undefined) await library.remove(ids);
  if (removed.length === 0) {
    const available = library.origins().map(({ origin }) => origin);
    throw new UnknownName({ kind: "file", wanted: file ?? "", available });
  }
  process.stdout.write(`library ${library.name}: ${removed.length} removed\n`);
}

function unknownTool(library: ToolLibrary, wanted: string): UnknownName {
  return new UnknownName({
    kind: `tool in library ${library.name}`,
    wanted,
    available: library.list().map(({ id }) => id),
  });
}
