import { existsSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { TulipgraphError, UnknownName } from "../errors.js";
import { withoutKeys } from "../models/keys.js";
import { closeResources } from "../resources/resources.js";
import { packageVersion } from "../storage/packageRoot.js";
import { devCommand } from "./commands/dev.js";
import { graphsCommand } from "./commands/graphs.js";
import { resumeCommand } from "./commands/resume.js";
import { solveCommand } from "./commands/solve.js";
import { threadsCommand } from "./commands/threads.js";
import { toolsCommand } from "./commands/tools.js";
import { EXIT } from "./exit.js";

/**
 * Runs the command line.
 *
 * @param argv the arguments behind the program's name; a first argument that is no command is a
 * request to solve
 * @returns the exit code: 0 solved or done, 1 ran and not solved, 2 wrong usage or configuration,
 * 130 cancelled
 */
export async function main(argv: string[]): Promise<number> {
  const debug = argv.includes("--debug");
  try {
    if (existsSync(".env")) process.loadEnvFile(".env");
    return await run(argv);
  } catch (error) {
    process.stderr.write(`${errorText({ error, debug })}\n`);
    return EXIT.usage;
  } finally {
    await closeResources();
  }
}

async function run(argv: string[]): Promise<number> {
  let code: number = EXIT.done;
  const program = commandLine((exitCode) => {
    code = exitCode;
  });
  try {
    await program.parseAsync(withCommand(argv, program), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  return code;
}

function commandLine(exit: (code: number) => void): Command {
  const program = new Command("tulipgraph")
    .description("Solves requests with tool libraries of any size")
    .version(packageVersion())
    .option("--debug", "show the stack of an error")
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`${oneLine(text)}\n`) });
  for (const command of [
    solveCommand(exit),
    resumeCommand(exit),
    threadsCommand(),
    graphsCommand(),
    toolsCommand(),
    devCommand(exit),
  ]) {
    program.addCommand(command);
    inheritSettings({ command, program });
  }
  return program;
}

function inheritSettings({ command, program }: { command: Command; program: Command }): void {
  command.copyInheritedSettings(program);
  for (const child of command.commands) inheritSettings({ command: child, program: command });
}

/** A first argument that is no command is a request, and options alone belong to one, too. */
function withCommand(argv: string[], program: Command): string[] {
  const [first] = argv;
  const names = [...program.commands.map((command) => command.name()), "help"];
  const own = ["--help", "-h", "--version", "-V"];
  if (first === undefined || names.includes(first) || own.includes(first)) {
    return argv.length > 0 ? argv : ["--help"];
  }
  if (/^[a-z]+$/i.test(first)) {
    throw new UnknownName({
      kind: "command",
      wanted: first,
      available: names,
      hint: `to solve a request of one word: tulipgraph solve ${first}`,
    });
  }
  return ["solve", ...argv];
}

function errorText({ error, debug }: { error: unknown; debug: boolean }): string {
  if (debug)
    return withoutKeys(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const message = error instanceof Error ? error.message : String(error);
  const internal = error instanceof TulipgraphError ? "" : " (--debug shows more)";
  return `error: ${withoutKeys(oneLine(message))}${internal}`;
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, " ");
}
