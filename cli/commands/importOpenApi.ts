import type { Command } from "commander";
import type { Exit } from "../exit.js";
import type { OpenApiImportOptions } from "../importOpenApi.js";
import { examples } from "../helpExamples.js";
import { withLibrary } from "../libraryOption.js";
import { collected } from "../runOptions.js";

/** `tools import openapi DOCUMENT` */
export function addImportOpenApi(parent: Command, exit: Exit): void {
  const command = withLibrary(parent.command("openapi"));
  command
    .description("Make the operations of an OpenAPI document (2.0, 3.0, 3.1) tools of a library")
    .argument("<document>", "a file or an address, JSON or YAML")
    .argument("[name]", "what to call the API; by default, after its file or host")
    .option("--base <url>", "where the API answers, if the document does not say or is wrong")
    .option(
      "--only <pattern>",
      "only operations with such an operationId, path or tag; * stands for anything; may be repeated",
      collected,
    )
    .option(
      "--auth <scheme=value>",
      "a credential, as 'SCHEME=$VARIABLE' or 'SCHEME=$(command)'; may be repeated",
      collected,
    )
    .option("--yes", "accept tools that have changed or are new since they were accepted")
    .option("--description <text>", "what the library is about")
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools import openapi https://petstore3.swagger.io/api/v3/openapi.json petstore",
        "tulipgraph tools import openapi api.github.com.json github --only 'issues/*' --auth 'bearer=$GITHUB_TOKEN'",
      ]),
    )
    .action(async (document: string, name: string | undefined) => {
      const { importOpenApi } = await import("../importOpenApi.js");
      // Options that the import of files has as well count as that one's.
      const options = command.optsWithGlobals<OpenApiImportOptions>();
      exit(await importOpenApi({ document, name, options }));
    });
}
