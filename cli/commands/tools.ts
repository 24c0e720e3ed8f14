import { SEVERITIES } from "../../tools/library/checks/finding.js";
import type { CommandForm } from "../command.js";
import { SET_OPTION, toCount } from "../options.js";
import type { LoginOptions } from "../sources/login.js";
import type { ReviewOptions } from "../sources/review.js";
import type { CallOptions } from "../tools/callTool.js";
import { labelTools, removeTools } from "../tools/changeTools.js";
import type { DoctorOptions } from "../tools/doctor.js";
import { searchTools } from "../tools/searchTools.js";
import { listTools } from "../tools/showTools.js";
import { addTool, type HistoryOptions, toolHistory } from "../tools/writeTools.js";
import { IMPORT } from "./importTools.js";

const WITH_THREAD = { "--thread <thread>": "include tools made by this thread" };

/** What shows tools, and calls one. */
const READING: Record<string, CommandForm> = {
  list: {
    about:
      "List the tools of a library. With an id, show that tool: its parameters, its source and version, and its code if a model wrote it",
    args: { "[id]": "the tool's id" },
    options: {
      ...WITH_THREAD,
      "--filter <text>": "only tools with this text in their id or description",
      "--limit <n>": { text: "at most this many", read: toCount },
      "--libraries": "list the libraries instead",
      "--sources": "list the MCP servers and OpenAPI documents that tools come from instead",
    },
    examples: [
      "tulipgraph tools list --library math --filter prime --limit 5",
      "tulipgraph tools list add",
    ],
    run: listTools,
  },
  search: {
    about: "Search a library as an agent does, and show why each tool matches",
    args: { "<phrase...>": "what the tool does" },
    options: {
      ...SET_OPTION,
      "-k, --top-k <n>": { text: "maximum number of tools", read: toCount },
    },
    examples: [
      'tulipgraph tools search "area of a circle" -k 3 --json',
      'tulipgraph tools search "area of a circle" --set ranking=words --set threshold=1',
    ],
    run: searchTools,
  },
  call: {
    about: "Call a tool by hand. Arguments are checked and the call is journaled, as in a run",
    args: {
      "<id>": "the tool's id",
      "[arguments]": "a JSON object, or - to read it from standard input",
    },
    options: {
      "--thread <thread>": "the thread that records the call and provides its tools",
      "--timeout <ms>": { text: "time limit of the call in milliseconds", read: toCount },
      "--yes": "approve the call if the tool writes or requires approval",
    },
    examples: [
      'tulipgraph tools call add \'{"a": 1, "b": 2}\' --library math',
      "echo '{\"celsius\": 31}' | tulipgraph tools call describe_temperature - --library temperatures",
    ],
    run: async (id: string, written: string | undefined, options: CallOptions) => {
      const { callTool } = await import("../tools/callTool.js");
      return await callTool(id, written, options);
    },
  },
  doctor: {
    about:
      "Check a library for problems. Reports tools that their own words do not find, missing descriptions, texts that give the model orders, hidden characters and tools that cost many tokens. Exits with 1 if there are findings",
    options: {
      "--level <level>": {
        text: "lowest severity to report",
        choices: SEVERITIES.toReversed(),
        usual: "warning",
      },
    },
    examples: ["tulipgraph tools doctor --library math --level error --json"],
    run: async (options: DoctorOptions) => {
      const { examineLibrary } = await import("../tools/doctor.js");
      return await examineLibrary(options);
    },
  },
};

/** What changes the tools of a library, and what is said of them. */
const CHANGING: Record<string, CommandForm> = {
  remove: {
    about: "Remove tools, or all tools of a file or a source. Their history stays",
    args: { "[ids...]": "the tools' ids" },
    options: {
      ...WITH_THREAD,
      "--file <file>": "remove the tools of this file",
      "--source <name>":
        "remove the tools of this MCP server or OpenAPI document, from all libraries unless --library is set",
    },
    examples: [
      "tulipgraph tools remove describe_temperature --library temperatures",
      "tulipgraph tools remove --file ./examples/temperatures.ts --library temperatures",
      "tulipgraph tools remove --source files",
    ],
    run: removeTools,
  },
  label: {
    about:
      "Declare whether tools read or write, and label them for flow rules. Labels survive later imports",
    args: {
      "<tools...>":
        "ids of tools; * matches anything, and the name of a source means all its tools",
    },
    options: {
      ...WITH_THREAD,
      "--reads": {
        text: "they only read; with a pattern or a source, only tools whose source says so",
        conflicts: ["writes"],
      },
      "--writes": "they change something",
      "--flow <labels>":
        "private, foreign, outward or outward(ARGUMENT, …); none removes all labels, source restores those of the source",
      "--undo <call>":
        "the call that takes a call of the tool back, with its arguments, result.NAME and before.NAME; or none, or source",
      "--before <call>": "the read that shows what it changes",
      "--deed <sentence>":
        "what a call has done, for receipts, with values of its result and arguments in braces; or source",
    },
    examples: [
      "tulipgraph tools label github --reads --library github",
      "tulipgraph tools label notes.tidy 'notes.drop_*' --writes --library notes",
      'tulipgraph tools label send_mail --flow "outward(subject, body)" --library mail',
      'tulipgraph tools label close_issue --undo "reopen_issue({ id })" --before "get_issue({ id })"',
      'tulipgraph tools label refund --deed "Refunded {refunded} of order {order}" --library shop',
    ],
    run: labelTools,
  },
  add: {
    about:
      "Add a sandboxed tool from a file with one function. Its examples are tested first. With --thread, share a tool that a thread made; without a file, create an empty library",
    args: {
      "[file or id]":
        "a TypeScript file with one function and its examples; with --thread, the id of a tool",
    },
    options: {
      "--thread <thread>": "the thread that made the tool",
      "--why <text>": "the reason, for the history of the tool",
      "--description <text>": "description of a new library",
    },
    examples: [
      'tulipgraph tools add --library session --description "My own"',
      "tulipgraph tools add ./examples/square_root.ts --library session",
      "tulipgraph tools add square_root --thread homework",
    ],
    run: addTool,
  },
  history: {
    about:
      "Show the versions of a tool. With one or two versions, show what changed; with --restore, bring an earlier version back",
    args: {
      "<id>": "the tool's id",
      "[first]": { text: "a version to compare", read: toCount },
      "[second]": { text: "a later version (default: the latest)", read: toCount },
    },
    options: {
      ...WITH_THREAD,
      "--restore <version>": { text: "make this version the latest again", read: toCount },
      "--why <text>": "the reason, for the history of the tool",
    },
    examples: [
      "tulipgraph tools history square_root",
      "tulipgraph tools history square_root 1 3",
      'tulipgraph tools history square_root --restore 1 --why "fails below zero"',
    ],
    run: (id: string, first?: number, second?: number, options: HistoryOptions = {}) =>
      toolHistory(id, { ...options, first, second }),
  },
};

/** What goes with the sources of tools. */
const OF_SOURCES: Record<string, CommandForm> = {
  login: {
    about:
      "Connect to a source. Prints the address of an OAuth login, or asks for the credentials that the source takes from each person, without showing them",
    args: { "<name>": "the source's name" },
    options: {
      "--url <url>": "its address, if the source has not been imported yet",
      "--scope <scopes>": "scopes to request besides those that the server names",
      "--client-id <id>": "id of the OAuth client, if the server does not register clients",
      "--client-secret <variable>": "secret of the OAuth client, as '$VARIABLE'",
      "--port <n>": {
        text: "loopback port of the redirect, if the server accepts only one",
        read: toCount,
      },
    },
    examples: ["tulipgraph tools login issues --url https://example.com/mcp"],
    run: async (name: string, options: LoginOptions) => {
      const { logIn } = await import("../sources/login.js");
      await logIn(name, options);
    },
  },
  review: {
    about:
      "Review changed and new tools of connected sources. Exits with 1 while any await a decision",
    args: { "[source]": "the source (default: all)" },
    options: {
      "--accept <id...>": "accept these tools",
      "--reject <id...>": "reject these tools until they change again",
      "--yes": "accept all other tools",
    },
    examples: [
      "tulipgraph tools review github",
      "tulipgraph tools review github --accept github.issues/create",
    ],
    run: async (source: string | undefined, options: ReviewOptions) => {
      const { reviewTools } = await import("../sources/review.js");
      return await reviewTools(source, options);
    },
  },
  verify: {
    about:
      "Compare connected sources with what was accepted. Also replays the runs of saved plans with today's tools. Exits with 1 if anything differs",
    examples: ["tulipgraph tools verify"],
    run: async (options: { json?: boolean }) => {
      const { verifyPins } = await import("../sources/review.js");
      return await verifyPins(options);
    },
  },
};

/** `tulipgraph tools list | search | call | doctor | import | …` */
export const TOOLS: CommandForm = {
  about: "Manage tool libraries and their tools. Without a subcommand, list the tools of a library",
  examples: [
    "tulipgraph tools list --libraries",
    "tulipgraph tools import ./examples/temperatures.ts",
    'tulipgraph tools search "how warm it feels" --library temperatures',
  ],
  commands: { ...READING, import: IMPORT, ...CHANGING, ...OF_SOURCES },
};
