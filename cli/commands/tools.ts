import { Command, Option } from "commander";
import { SEVERITIES } from "../../tools/doctor/finding.js";
import type { DoctorOptions } from "../tools/doctor.js";
import { examples } from "../helpExamples.js";
import type { Exit } from "../exit.js";
import { labelTools, removeTools } from "../tools/changeTools.js";
import { addCall } from "./callTool.js";
import { addImport } from "./importTools.js";
import { addLogin } from "./login.js";
import { addReview } from "./review.js";
import { addLimits, toCount, withLibrary } from "../options.js";
import { addTool, createEmpty } from "../tools/writeTools.js";
import { promoteMade } from "../tools/madeTools.js";
import { RANKINGS } from "../../tools/library/search/request.js";
import { searchTools } from "../tools/searchTools.js";
import { type LibraryOptions, listTools } from "../tools/showTools.js";
import { diffVersions, restoreVersion, showHistory } from "../tools/toolVersions.js";

/** `tulipgraph tools list | search | call | doctor | import | login | review | verify | create | add | promote | remove | label | history | restore` */
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
  addChanging(command, exit);
  addLogin(command);
  addReview(command, exit);
  addWriting(command, exit);
  addVersions(command);
  return command;
}

function addReading(command: Command): void {
  withThread(withLibrary(command.command("list")))
    .description(
      "List the tools of a library, or those that a thread has made; with an id, show that tool: its parameters, source and version, and its code if a model wrote it",
    )
    .argument("[id]", "the tool's id")
    .option("--libraries", "list the libraries instead")
    .option(
      "--sources",
      "list the MCP servers and OpenAPI documents that tools come from instead, and how they are reached",
    )
    .addHelpText(
      "after",
      examples(["tulipgraph tools list --library math --json", "tulipgraph tools list add"]),
    )
    .action(listTools);
  addLimits(withLibrary(command.command("search")), "-k, --top-k <n>")
    .description("Find tools as an agent does, and show why they were found")
    .option("--ranking <way>", `what ranks tools: ${RANKINGS.join(", ")}`)
    .option("--planning", "search as for the plan of a whole request, with as few tools as needed")
    .argument("<phrase...>", "what the tool does")
    .addHelpText("after", examples(['tulipgraph tools search "area of a circle" -k 3 --json']))
    .action(searchTools);
}

function addDoctor(command: Command, exit: Exit): void {
  withLibrary(command.command("doctor"))
    .description(
      "Examine a library for tools that searches do not find, that lack descriptions, give the model orders, hide characters or cost many tokens. Exits with 1 on findings",
    )
    .argument("[library]", "the library")
    .addOption(
      new Option("--level <level>", "the mildest findings that count and are shown")
        .choices(SEVERITIES.toReversed())
        .default("warning"),
    )
    .option("--all", "search for every tool by its own words, not only for a sample of 2,000")
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools doctor temperatures",
        "tulipgraph tools doctor math --level error --json",
      ]),
    )
    .action(async (library: string | undefined, options: DoctorOptions) => {
      const { examineLibrary } = await import("../tools/doctor.js");
      exit(await examineLibrary(library, options));
    });
}

function addChanging(command: Command, exit: Exit): void {
  addImport(command, exit);
  withThread(withLibrary(command.command("remove")))
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
  withThread(withLibrary(command.command("label")))
    .description(
      "Label tools for flow rules by hand; the labels stay when the tools are imported again",
    )
    .argument("<ids...>", "the tools' ids")
    .requiredOption(
      "--flow <labels>",
      "private, foreign, outward or outward(ARGUMENT, …); none for no label, source for the labels of its source",
    )
    .addHelpText(
      "after",
      examples([
        'tulipgraph tools label read_mail search_mail --flow "private foreign" --library mail',
        'tulipgraph tools label send_mail --flow "outward(subject, body)" --library mail',
      ]),
    )
    .action(labelTools);
}

function addWriting(command: Command, exit: Exit): void {
  withLibrary(command.command("create"))
    .description("Create an empty library, for tools that a model or a person will write")
    .argument("<name>", "the library's name")
    .option("--description <text>", "what the library is about")
    .addHelpText("after", examples(['tulipgraph tools create session --description "My own"']))
    .action(createEmpty);
  withLibrary(command.command("add"))
    .description(
      "Add a tool as a model would: one function in a file, tested on its examples, run in the sandbox",
    )
    .argument("<file>", "a TypeScript file with one function, its comment and two @example lines")
    .option("--why <text>", "the reason, for the tool's history")
    .addHelpText(
      "after",
      examples(["tulipgraph tools add ./examples/square_root.ts --library session"]),
    )
    .action(async (file: string, options) => exit(await addTool(file, options)));
  command
    .command("promote")
    .description("Move a tool that a model made from its thread into the library, for everybody")
    .argument("<id>", "the tool's id")
    .option("--thread <id>", "the thread, if several have made a tool with this id")
    .option("--library <name>", "the library, if the thread has used several")
    .option("--why <text>", "the reason, for the thread's history")
    .option("--json", "print JSON and nothing else")
    .addHelpText("after", examples(["tulipgraph tools promote square_root --thread homework"]))
    .action(promoteMade);
}

function addVersions(command: Command): void {
  withThread(withLibrary(command.command("history")))
    .description(
      "Show every version of a tool, with when, by whom and why it was made or removed, or what changed between two versions",
    )
    .argument("<id>", "the tool's id")
    .argument("[first]", "the version to compare; by default the last but one", toCount)
    .argument("[second]", "a later version; by default the last one", toCount)
    .option("--diff", "show what changed between two versions")
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools history square_root",
        "tulipgraph tools history square_root 1 3",
      ]),
    )
    .action(
      (
        id: string,
        first: number | undefined,
        second: number | undefined,
        { diff = first !== undefined, ...options }: LibraryOptions & { diff?: boolean },
      ) => (diff ? diffVersions(id, { first, second }, options) : showHistory(id, options)),
    );
  withLibrary(command.command("restore"))
    .description("Make an earlier version of a tool that a model wrote the newest one again")
    .argument("<id@version>", "the tool's id and the version")
    .option("--why <text>", "the reason, for the tool's history")
    .addHelpText(
      "after",
      examples(['tulipgraph tools restore square_root@1 --why "wrong for negative numbers"']),
    )
    .action(restoreVersion);
}

function withThread(command: Command): Command {
  return command.option("--thread <id>", "include the tools that this thread has made");
}
