import type { Command } from "commander";
import type { CallOptions } from "../callTool.js";
import { examples } from "../helpExamples.js";
import type { Exit } from "../exit.js";
import { withLibrary } from "../libraryOption.js";

/** `tools call ID JSON` */
export function addCall(tools: Command, exit: Exit): void {
  withLibrary(tools.command("call"))
    .description("Call a tool by hand, as a run would: checked, journaled, with its time-out")
    .argument("<id>", "the tool's id")
    .argument("[arguments]", "one JSON object, or - for what is on stdin")
    .option("--thread <id>", "the thread whose journal has the call, and whose tools there are")
    .option("--yes", "agree to the call, where the tool writes or wants an approval")
    .addHelpText(
      "after",
      examples([
        'tulipgraph tools call add \'{"a": 1, "b": 2}\' --library math',
        "echo '{\"celsius\": 31}' | tulipgraph tools call describe_temperature - --library temperatures",
        'tulipgraph tools call send_mail \'{"to": "ada@example.org"}\' --library mail --yes',
      ]),
    )
    .action(async (id: string, written: string | undefined, options: CallOptions) => {
      const { callTool } = await import("../callTool.js");
      exit(await callTool(id, written, options));
    });
}
