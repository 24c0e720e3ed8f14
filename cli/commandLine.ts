import { Command } from "commander";
import { InvalidSetting, UnknownName, oneLine } from "../common/errors.js";
import { withoutSecrets } from "../common/secrets.js";
import { packageVersion } from "../storage/packageRoot.js";
import { type CommandForm, makeCommand } from "./command.js";
import type { Exit } from "./exit.js";
import { examples } from "./options.js";

/** A command, loaded only when it is used: most of the start-up time goes into loading. */
interface CommandEntry {
  summary: string;
  load: () => Promise<CommandForm>;
  /** The default subcommand. */
  subcommand?: string;
  /** In help, this command and those after it stand under this heading. */
  heading?: string;
}

const COMMANDS: Record<string, CommandEntry> = {
  solve: {
    heading: "Solving requests:",
    summary: "Solve a request with the tools of a library",
    load: async () => (await import("./commands/solve.js")).SOLVE,
  },
  resume: {
    summary: "Continue a run that was interrupted or is waiting for an approval",
    load: async () => (await import("./commands/resume.js")).RESUME,
  },
  undo: {
    summary: "Take back what a run has changed",
    load: async () => (await import("./commands/undo.js")).UNDO,
  },
  threads: {
    summary: "List conversations, or show one",
    load: async () => (await import("./commands/threads.js")).THREADS,
  },
  plans: {
    summary: "Save the plan of a run as a tool",
    load: async () => (await import("./commands/plans.js")).PLANS,
  },
  graphs: {
    summary: "List or draw the graphs, each a wiring of the same stages",
    load: async () => (await import("./commands/graphs.js")).GRAPHS,
  },
  tools: {
    heading: "Tools:",
    summary: "Manage tool libraries: list, search, import, remove …",
    load: async () => (await import("./commands/tools.js")).TOOLS,
    subcommand: "list",
  },
  models: {
    summary: "List the available models, which of them is used, and how to set one up",
    load: async () => (await import("./commands/models.js")).MODELS,
  },
  eval: {
    heading: "Measuring and training:",
    summary: "Run benchmarks, compare graphs and settings, and measure retrieval",
    load: async () => (await import("./commands/eval.js")).EVAL,
  },
  check: {
    summary: "Check the tools of an MCP server that you are writing",
    load: async () => (await import("./commands/check.js")).CHECK,
  },
  memory: {
    summary: "Manage past calls and demonstrations",
    load: async () => (await import("./commands/memory.js")).MEMORY,
    subcommand: "list",
  },
  train: {
    summary: "Train the retriever of a library and the judge of calls",
    load: async () => (await import("./commands/train.js")).TRAIN,
  },
  mcp: {
    heading: "Serving:",
    summary: "Serve a library to MCP clients through a few tools",
    load: async () => (await import("./commands/mcp.js")).MCP,
  },
  connect: {
    summary: "Tell Claude, Cursor, VS Code, Codex and others where a library is",
    load: async () => (await import("./commands/connect.js")).CONNECT,
  },
  serve: {
    summary: "Serve the graphs to a team through the LangGraph server API",
    load: async () => (await import("./commands/serve.js")).SERVE,
  },
  keys: {
    summary: "Create, list and revoke the server's API keys",
    load: async () => (await import("./commands/keys.js")).KEYS,
    subcommand: "list",
  },
  users: {
    summary: "Show or delete what a server stores for a user",
    load: async () => (await import("./commands/users.js")).USERS,
    subcommand: "forget",
  },
  db: {
    summary: "Check the stored data, in files or in a database",
    load: async () => (await import("./commands/db.js")).DB,
    subcommand: "check",
  },
  whoami: {
    summary: "Show your account at each source of tools",
    load: async () => (await import("./commands/users.js")).WHOAMI,
  },
  completion: {
    heading: "Help:",
    summary: "Print a completion script for bash, zsh or fish",
    load: async () => {
      const { completionForm } = await import("./commands/completion.js");
      return completionForm((argv) => commandLine({ argv, exit: () => undefined }));
    },
  },
};

/** Commands that use no library. */
const WITHOUT_LIBRARY =
  /^(?:threads|graphs|models|check|serve|keys .*|users forget|db check|eval (?:work|report|retrieval)|completion|tools (?:login|verify))$/;

const HELP_OPTIONS = ["--help", "-h"];
const OWN_OPTIONS = [...HELP_OPTIONS, "--version", "-V"];

/** The program, with only the called command loaded, and the words for it to parse. */
export async function commandLine(options: {
  argv: readonly string[];
  exit: Exit;
}): Promise<{ program: Command; words: string[] }> {
  const words = completed(options.argv);
  const called = words[leading(words)];
  const program = emptyProgram();
  for (const [name, { heading, summary, load }] of Object.entries(COMMANDS)) {
    if (heading !== undefined) program.commandsGroup(heading);
    const command =
      name === called
        ? makeCommand(name, await load(), options.exit)
        : new Command(name).description(summary).helpOption(false);
    program.addCommand(command);
    inheritSettings(command, program);
  }
  // Puts it under the last heading.
  program.helpCommand(true);
  return { program, words };
}

function emptyProgram(): Command {
  return new Command("tulipgraph")
    .description("Solves requests with tool libraries of any size")
    .usage('[command] [options], or simply: tulipgraph "REQUEST"')
    .version(packageVersion())
    .option(
      "--library <library>",
      "the tool library; for a run, also a file with exported functions",
    )
    .option("--json", "print JSON and nothing else")
    .option("--debug", "show the stack trace of an error")
    .configureHelp({
      showGlobalOptions: true,
      minWidthToWrap: 20,
      // Only names, so that the texts beside them have room; `help COMMAND` shows the rest.
      subcommandTerm: (command) => command.name(),
      subcommandDescription: (command) => command.description().split(". ", 1)[0] ?? "",
    })
    .hook("preAction", passOn)
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText(
      "after",
      examples([
        'tulipgraph "What is 45342 * 23487 + 32478?"',
        'tulipgraph solve "What is the area of a circle with radius 3?" --graph naive_tulip',
        "tulipgraph tools import ./my-tools.ts",
        "tulipgraph serve --open    # the page: ask, watch, approve",
      ]),
    );
}

/** Gives a command the program's options. */
function passOn(program: Command, command: Command): void {
  const { json, library } = program.opts<{ json?: boolean; library?: string }>();
  command.setOptionValue("json", json).setOptionValue("library", library);
  const name = fullName(command);
  if (library === undefined || !WITHOUT_LIBRARY.test(name)) return;
  const problem = `tulipgraph ${name} uses no library`;
  throw new InvalidSetting({ setting: "--library", problem, hint: "Leave it out" });
}

/** A command with those above it, without the program: "tools import mcp". */
function fullName(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${fullName(parent)} ${command.name()}` : command.name();
}

function inheritSettings(command: Command, parent: Command): void {
  command.copyInheritedSettings(parent).configureOutput({
    outputError: (text, write) =>
      write(`${withoutSecrets(oneLine(text) + available(command, text))}\n`),
  });
  for (const child of command.commands) inheritSettings(child, command);
}

/** What there is in place of a subcommand that does not exist, or of arguments that a command does not take. */
function available(command: Command, text: string): string {
  if (text.startsWith("error: unknown command"))
    return `; available: ${command.commands.map((each) => each.name()).join(", ")}`;
  return /^error: (?:missing required|too many) argument/.test(text)
    ? `; usage: tulipgraph ${fullName(command)} ${command.usage()}`
    : "";
}

/**
 * Adds what may be left out: a first word that is not a command begins a request, as do options alone, and some
 * commands have a default subcommand.
 *
 * @throws UnknownName for a first word that looks like a mistyped command
 */
function completed(argv: readonly string[]): string[] {
  const at = leading(argv);
  const [first, second] = argv.slice(at);
  if (first === undefined) return ["--help"];
  if (OWN_OPTIONS.includes(first)) return [...argv];
  if (first === "help") return second === undefined ? ["--help"] : completed(helpOf(argv, at));
  const entry = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  if (!entry) {
    requireRequest(first);
    return ["solve", ...argv];
  }
  const named = second !== undefined && (!second.startsWith("-") || HELP_OPTIONS.includes(second));
  return entry.subcommand === undefined || named
    ? [...argv]
    : argv.toSpliced(at + 1, 0, entry.subcommand);
}

/** `help tools list` is `tools list --help`. */
function helpOf(argv: readonly string[], at: number): string[] {
  return [...argv.toSpliced(at, 1), "--help"];
}

/** How many words before the command are options of the program. */
function leading(argv: readonly string[]): number {
  const rest = argv.findIndex(
    (word, at) => !/^--(?:json$|library(?:=|$))/.test(word) && argv[at - 1] !== "--library",
  );
  return rest === -1 ? argv.length : rest;
}

function requireRequest(word: string): void {
  if (!/^[a-z]+$/i.test(word)) return;
  throw new UnknownName({
    kind: "command",
    wanted: word,
    available: [...Object.keys(COMMANDS), "help"],
    hint: `to solve a request that starts with this word: tulipgraph solve ${word} …`,
  });
}
