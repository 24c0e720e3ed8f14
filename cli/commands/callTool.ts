import type { Command } from "commander";
import type { CallOptions } from "../tools/callTool.js";
import { examples } from "../helpExamples.js";
import type { Exit } from "../exit.js";
import { withLibrary } from "../options.js";

/** `tools call ID JSON` */
export function addCall(tools: Command, exit: Exit): void {
  withLibrary(tools.command("call"))
    .description("Call a tool by hand as a run would: with checks, journal and time-out")
    .argument("<id>", "the tool's id")
    .argument("[arguments]", "one JSON object, or - to read it from stdin")
    .option("--thread <id>", "the thread that records the call and whose tools can be called")
    .option("--yes", "consent to the call if the tool writes or requires approval")
    .addHelpText(
      "after",
      examples([
        'tulipgraph tools call add \'{"a": 1, "b": 2}\' --library math',
        "echo '{\"celsius\": 31}' | tulipgraph tools call describe_temperature - --library temperatures",
        'tulipgraph tools call send_mail \'{"to": "ada@example.org"}\' --library mail --yes',
      ]),
    )
    .action(async (id: string, written: string | undefined, options: CallOptions) => {
      const { callTool } = await import("../tools/callTool.js");
      exit(await callTool(id, written, options));
    });
}
