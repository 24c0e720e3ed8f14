import type { Command } from "commander";
import type { Exit } from "../exit.js";
import type { OpenApiImportOptions } from "../sources/importOpenApi.js";
import { examples } from "../helpExamples.js";
import { collected, withLibrary } from "../options.js";

/** `tools import openapi DOCUMENT` */
export function addImportOpenApi(parent: Command, exit: Exit): void {
  const command = withLibrary(parent.command("openapi"));
  command
    .description(
      "Import the operations of an OpenAPI document (2.0, 3.0, 3.1) into a library as tools",
    )
    .argument("<document>", "a file or an address, JSON or YAML")
    .argument("[name]", "a name for the API; by default that of the file or host")
    .option("--base <url>", "address of the API, if the document lacks it or is wrong")
    .option(
      "--only <pattern>",
      "only operations whose operationId, path or tag matches; * matches anything; may be repeated",
      collected,
    )
    .option(
      "--auth <scheme=value>",
      "a credential, as 'SCHEME=$VARIABLE' or 'SCHEME=$(command)'; may be repeated",
      collected,
    )
    .option("--yes", "accept changed and new tools without a review")
    .option("--description <text>", "what the library is about")
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools import openapi https://petstore3.swagger.io/api/v3/openapi.json petstore",
        "tulipgraph tools import openapi api.github.com.json github --only 'issues/*' --auth 'bearer=$GITHUB_TOKEN'",
      ]),
    )
    .action(async (document: string, name: string | undefined) => {
      const { importOpenApi } = await import("../sources/importOpenApi.js");
      // Commander assigns options that `tools import` has as well to that command.
      const options = command.optsWithGlobals<OpenApiImportOptions>();
      exit(await importOpenApi({ document, name, options }));
    });
}
