import type { Command } from "commander";
import { importFiles } from "../tools/changeTools.js";
import { examples } from "../helpExamples.js";
import type { Exit } from "../exit.js";
import { withLibrary } from "../options.js";
import { addImportOpenApi } from "./importOpenApi.js";
import { addImportMcp } from "./importMcp.js";

/** `tools import FILES | mcp | openapi` */
export function addImport(tools: Command, exit: Exit): void {
  const importing = withLibrary(tools.command("import"))
    .description("Import the exported functions and LangChain tools of files into a library")
    .argument("<files...>", "TypeScript or JavaScript files")
    .option("--description <text>", "what the library is about")
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools import ./examples/temperatures.ts",
        'tulipgraph tools import a.ts b.ts --library office --description "Mail and calendar"',
      ]),
    )
    .action(async (files: string[], options) => exit(await importFiles(files, options)));
  addImportMcp(importing, exit);
  addImportOpenApi(importing, exit);
}
