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
    .description(
      "Manage tool libraries and their tools. Without a subcommand, list the tools of a library",
    )
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
      "List the tools of a library. With an id, show that tool: its parameters, its source and version, and its code if a model wrote it",
    )
    .argument("[id]", "the tool's id")
    .option("--filter <text>", "only tools with this text in their id or description")
    .option("--limit <n>", "at most this many", toCount)
    .option("--libraries", "list the libraries instead")
    .option("--sources", "list the MCP servers and OpenAPI documents that tools come from instead")
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools list --library math --filter prime --limit 5",
        "tulipgraph tools list add",
      ]),
    )
    .action(listTools);
  addSettings(command.command("search"))
    .description("Search a library as an agent does, and show why each tool matches")
    .option("-k, --top-k <n>", "maximum number of tools", toCount)
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
    .description(
      "Call a tool by hand. Arguments are checked and the call is journaled, as in a run",
    )
    .argument("<id>", "the tool's id")
    .argument("[arguments]", "a JSON object, or - to read it from standard input")
    .option("--thread <thread>", "the thread that records the call and provides its tools")
    .option("--timeout <ms>", "time limit of the call in milliseconds", toCount)
    .option("--yes", "approve the call if the tool writes or requires approval")
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
      "Check a library for problems. Reports tools that their own words do not find, missing descriptions, texts that give the model orders, hidden characters and tools that cost many tokens. Exits with 1 if there are findings",
    )
    .addOption(
      new Option("--level <level>", "lowest severity to report")
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
    .description("Remove tools, or all tools of a file or a source. Their history stays")
    .argument("[ids...]", "the tools' ids")
    .option("--file <file>", "remove the tools of this file")
    .option(
      "--source <name>",
      "remove the tools of this MCP server or OpenAPI document, from all libraries unless --library is set",
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
      "Declare whether tools read or write, and label them for flow rules. Labels survive later imports",
    )
    .argument(
      "<tools...>",
      "ids of tools; * matches anything, and the name of a source means all its tools",
    )
    .addOption(
      new Option(
        "--reads",
        "they only read; with a pattern or a source, only tools whose source says so",
      ).conflicts("writes"),
    )
    .option("--writes", "they change something")
    .option(
      "--flow <labels>",
      "private, foreign, outward or outward(ARGUMENT, …); none removes all labels, source restores those of the source",
    )
    .option(
      "--undo <call>",
      "the call that takes a call of the tool back, with its arguments, result.NAME and before.NAME; or none, or source",
    )
    .option("--before <call>", "the read that shows what it changes")
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools label github --reads --library github",
        "tulipgraph tools label notes.tidy 'notes.drop_*' --writes --library notes",
        'tulipgraph tools label send_mail --flow "outward(subject, body)" --library mail',
        'tulipgraph tools label close_issue --undo "reopen_issue({ id })" --before "get_issue({ id })"',
      ]),
    )
    .action(labelTools);
}

function addLogin(command: Command): void {
  command
    .command("login")
    .description(
      "Connect to a source. Prints the address of an OAuth login, or asks for the credentials that the source takes from each person, without showing them",
    )
    .argument("<name>", "the source's name")
    .option("--url <url>", "its address, if the source has not been imported yet")
    .option("--scope <scopes>", "scopes to request besides those that the server names")
    .option("--client-id <id>", "id of the OAuth client, if the server does not register clients")
    .option("--client-secret <variable>", "secret of the OAuth client, as '$VARIABLE'")
    .option("--port <n>", "loopback port of the redirect, if the server accepts only one", toCount)
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
      "Review changed and new tools of connected sources. Exits with 1 while any await a decision",
    )
    .argument("[source]", "the source (default: all)")
    .option("--accept <id...>", "accept these tools")
    .option("--reject <id...>", "reject these tools until they change again")
    .option("--yes", "accept all other tools")
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
      "Compare connected sources with what was accepted. Also replays the runs of saved plans with today's tools. Exits with 1 if anything differs",
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
      "Add a sandboxed tool from a file with one function. Its examples are tested first. With --thread, share a tool that a thread made; without a file, create an empty library",
    )
    .argument(
      "[file or id]",
      "a TypeScript file with one function and its examples; with --thread, the id of a tool",
    )
    .option("--thread <thread>", "the thread that made the tool")
    .option("--why <text>", "the reason, for the history of the tool")
    .option("--description <text>", "description of a new library")
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
      "Show the versions of a tool. With one or two versions, show what changed; with --restore, bring an earlier version back",
    )
    .argument("<id>", "the tool's id")
    .argument("[first]", "a version to compare", toCount)
    .argument("[second]", "a later version (default: the latest)", toCount)
    .option("--restore <version>", "make this version the latest again", toCount)
    .option("--why <text>", "the reason, for the history of the tool")
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools history square_root",
        "tulipgraph tools history square_root 1 3",
        'tulipgraph tools history square_root --restore 1 --why "fails below zero"',
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
  return command.option("--thread <thread>", "include tools made by this thread");
}
