import type { Command } from "commander";
import { commandLine } from "../../cli/commandLine.js";

/** A command of the command line: its words after `tulipgraph`, and the long names of its options. */
export interface ListedCommand {
  words: string;
  options: string[];
}

const exit = () => undefined;

/** All commands that do something, with subcommands; first, without words, the options of all commands. */
export async function listCommands(): Promise<ListedCommand[]> {
  const { program } = await commandLine({ argv: ["--help"], exit });
  const names = program.commands.map((command) => command.name());
  const loaded = await Promise.all(
    names.map(async (name) => {
      const line = await commandLine({ argv: [name], exit });
      return line.program.commands.find((command) => command.name() === name);
    }),
  );
  const ofAll = program.options.flatMap(({ long }) => (long && !EXPECTED.has(long) ? [long] : []));
  return [
    { words: "", options: ofAll },
    ...loaded.flatMap((command) => (command ? listed(command, "") : [])),
  ];
}

/** What every program has. */
const EXPECTED = new Set(["--version", "--help"]);

function listed(command: Command, before: string): ListedCommand[] {
  const words = `${before} ${command.name()}`.trim();
  const options = command.options.flatMap(({ long }) => long ?? []);
  const children = command.commands.flatMap((child) => listed(child, words));
  const acts = "_actionHandler" in command && command["_actionHandler"] !== null;
  return acts ? [{ words, options }, ...children] : children;
}
