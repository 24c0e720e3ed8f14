import { Command, Option } from "commander";
import { SEVERITIES } from "../../tools/library/checks/finding.js";
import type { Exit } from "../exit.js";
import { addSettings, examples, toCount } from "../options.js";
import type { LoginOptions } from "../sources/login.js";
import type { ReviewOptions } from "../sources/review.js";
import type { CallOptions } from "../tools/callTool.js";
import { labelTools, removeTools } from "../tools/changeTools.js";
import type { DoctorOptions } from "../tools/doctor.js";
import { searchTools } from "../tools/searchTools.js";
import { listTools } from "../tools/showTools.js";
import { type HistoryOptions, toolHistory } from "../tools/toolVersions.js";
import { type AddOptions, addTool } from "../tools/writeTools.js";
import { addImport } from "./importTools.js";

/** `tulipgraph tools list | search | call | doctor | import | login | review | verify | add | remove | label | history` */
export function toolsCommand(exit: Exit): Command {
  const command = new Command("tools")
    .description("Tool libraries and their tools. Alone, it lists the tools of a library")
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools list --libraries",
        "tulipgraph tools import ./examples/temperatures.ts",
        'tulipgraph tools search "how warm it feels" --library temperatures',
      ]),
    );
  addReading(command);
  addCall(command, exit);
  addDoctor(command, exit);
  addImport(command, exit);
  addChanging(command);
  addLogin(command);
  addReview(command, exit);
  addWriting(command, exit);
  return command;
}

function addReading(command: Command): void {
  withThread(command.command("list"))
    .description(
      "List the tools of a library, or those that a thread has made; with an id, show that tool: its parameters, source and version, and its code if a model wrote it",
    )
    .argument("[id]", "the tool's id")
    .option("--filter <text>", "only tools with this text in their id or description")
    .option("--limit <n>", "at most this many", toCount)
    .option("--libraries", "list the libraries instead")
    .option(
      "--sources",
      "list the MCP servers and OpenAPI documents that tools come from instead, and how they are reached",
    )
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools list --library math --filter prime --limit 5",
        "tulipgraph tools list add",
      ]),
    )
    .action(listTools);
  addSettings(command.command("search"))
    .description("Find tools as an agent does, and show why they were found")
    .option("-k, --top-k <n>", "most tools to find", toCount)
    .argument("<phrase...>", "what the tool does")
    .addHelpText(
      "after",
      examples([
        'tulipgraph tools search "area of a circle" -k 3 --json',
        'tulipgraph tools search "area of a circle" --set ranking=words --set threshold=1',
      ]),
    )
    .action(searchTools);
}

function addCall(command: Command, exit: Exit): void {
  command
    .command("call")
    .description("Call a tool by hand as a run would: with checks, journal and time-out")
    .argument("<id>", "the tool's id")
    .argument("[arguments]", "one JSON object, or - to read it from stdin")
    .option("--thread <thread>", "the thread that records the call and whose tools can be called")
    .option("--yes", "consent to the call if the tool writes or requires approval")
    .addHelpText(
      "after",
      examples([
        'tulipgraph tools call add \'{"a": 1, "b": 2}\' --library math',
        "echo '{\"celsius\": 31}' | tulipgraph tools call describe_temperature - --library temperatures",
      ]),
    )
    .action(async (id: string, written: string | undefined, options: CallOptions) => {
      const { callTool } = await import("../tools/callTool.js");
      exit(await callTool(id, written, options));
    });
}

function addDoctor(command: Command, exit: Exit): void {
  command
    .command("doctor")
    .description(
      "Examine a library for tools that searches do not find, that lack descriptions, give the model orders, hide characters or cost many tokens. Exits with 1 on findings",
    )
    .addOption(
      new Option("--level <level>", "the mildest findings that count and are shown")
        .choices(SEVERITIES.toReversed())
        .default("warning"),
    )
    .addHelpText("after", examples(["tulipgraph tools doctor --library math --level error --json"]))
    .action(async (options: DoctorOptions) => {
      const { examineLibrary } = await import("../tools/doctor.js");
      exit(await examineLibrary(options));
    });
}

function addChanging(command: Command): void {
  withThread(command.command("remove"))
    .description("Remove tools, or all tools of a file or a source; their history stays")
    .argument("[ids...]", "the tools' ids")
    .option("--file <file>", "remove the tools of this file")
    .option(
      "--source <name>",
      "remove the tools of this MCP server or OpenAPI document, from all libraries without --library",
    )
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools remove describe_temperature --library temperatures",
        "tulipgraph tools remove --file ./examples/temperatures.ts --library temperatures",
        "tulipgraph tools remove --source files",
      ]),
    )
    .action(removeTools);
  withThread(command.command("label"))
    .description(
      "Say by hand whether tools read or write, and label them for flow rules; the labels stay when the tools are imported again",
    )
    .argument(
      "<tools...>",
      "the tools' ids; * stands for anything, and the name of a source for all its tools",
    )
    .addOption(
      new Option(
        "--reads",
        "they only read; of those that no id names, the ones whose source says so",
      ).conflicts("writes"),
    )
    .option("--writes", "they change something")
    .option(
      "--flow <labels>",
      "private, foreign, outward or outward(ARGUMENT, …); none for no label, source for the labels of its source",
    )
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools label github --reads --library github",
        "tulipgraph tools label notes.tidy 'notes.drop_*' --writes --library notes",
        'tulipgraph tools label send_mail --flow "outward(subject, body)" --library mail',
      ]),
    )
    .action(labelTools);
}

function addLogin(command: Command): void {
  command
    .command("login")
    .description(
      "Connect to a source: log in to an MCP server with OAuth, at an address that is printed, or give what the source takes from each person, unseen or on the standard input",
    )
    .argument("<name>", "the source's name")
    .option("--url <url>", "its address, if it is not imported yet")
    .option("--scope <scopes>", "scopes to request besides those that the server names")
    .option("--client-id <id>", "the OAuth client, if the server does not register clients itself")
    .option("--client-secret <variable>", "the client's secret, as '$VARIABLE'")
    .option("--port <n>", "loopback port for the redirect, if the server accepts only one", toCount)
    .addHelpText("after", examples(["tulipgraph tools login issues --url https://example.com/mcp"]))
    .action(async (name: string, options: LoginOptions) => {
      const { logIn } = await import("../sources/login.js");
      await logIn(name, options);
    });
}

function addReview(command: Command, exit: Exit): void {
  command
    .command("review")
    .description(
      "Show changed and new tools of connected sources, and accept or reject them. Exits with 1 while some wait",
    )
    .argument("[source]", "the source; by default all")
    .option("--accept <id...>", "add these to the library")
    .option("--reject <id...>", "leave these out until they change again")
    .option("--yes", "accept all others")
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools review github",
        "tulipgraph tools review github --accept github.issues/create",
      ]),
    )
    .action(async (source: string | undefined, options: ReviewOptions) => {
      const { reviewTools } = await import("../sources/review.js");
      exit(await reviewTools(source, options));
    });
  command
    .command("verify")
    .description(
      "Compare what connected sources offer now with what was accepted, and replay the runs behind saved plans with the tools as they are now. Exits with 1 on differences",
    )
    .addHelpText("after", examples(["tulipgraph tools verify"]))
    .action(async (options: { json?: boolean }) => {
      const { verifyPins } = await import("../sources/review.js");
      exit(await verifyPins(options));
    });
}

function addWriting(command: Command, exit: Exit): void {
  command
    .command("add")
    .description(
      "Add a tool as a model would, from a file with one function, tested on its examples and run in the sandbox; or a tool that a thread has made, for everybody; alone, make an empty library",
    )
    .argument(
      "[file or id]",
      "a TypeScript file with one function and its examples; with --thread, an id",
    )
    .option("--thread <thread>", "the thread that has made the tool")
    .option("--why <text>", "the reason, for the tool's history")
    .option("--description <text>", "what a new library is about")
    .addHelpText(
      "after",
      examples([
        'tulipgraph tools add --library session --description "My own"',
        "tulipgraph tools add ./examples/square_root.ts --library session",
        "tulipgraph tools add square_root --thread homework",
      ]),
    )
    .action(async (tool: string | undefined, options: AddOptions) =>
      exit(await addTool(tool, options)),
    );
  withThread(command.command("history"))
    .description(
      "Show every version of a tool, with when, by whom and why it was made or removed, or what changed between two versions; or make a version of a tool that a model wrote the newest again",
    )
    .argument("<id>", "the tool's id")
    .argument("[first]", "the version to compare", toCount)
    .argument("[second]", "a later version; by default the last one", toCount)
    .option("--restore <version>", "make this version the newest again", toCount)
    .option("--why <text>", "the reason, for the tool's history")
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools history square_root",
        "tulipgraph tools history square_root 1 3",
        'tulipgraph tools history square_root --restore 1 --why "wrong for negative numbers"',
      ]),
    )
    .action(
      (
        id: string,
        first: number | undefined,
        second: number | undefined,
        options: HistoryOptions,
      ) => toolHistory(id, { ...options, first, second }),
    );
}

function withThread(command: Command): Command {
  return command.option("--thread <thread>", "include the tools that this thread has made");
}
