import type { Command } from "commander";
import { acts, commandTree } from "../../scripts/commandTree.js";

/** A command of the command line: its words after `tulipgraph`, and the long names of its options. */
export interface ListedCommand {
  words: string;
  options: string[];
}

/** All commands that do something, with subcommands; first, without words, the options of all commands. */
export async function listCommands(): Promise<ListedCommand[]> {
  const { program, commands } = await commandTree();
  const ofAll = program.options.flatMap(({ long }) => (long && !EXPECTED.has(long) ? [long] : []));
  return [{ words: "", options: ofAll }, ...commands.flatMap((command) => listed(command, ""))];
}

/** What every program has. */
const EXPECTED = new Set(["--version", "--help"]);

function listed(command: Command, before: string): ListedCommand[] {
  const words = `${before} ${command.name()}`.trim();
  const options = command.options.flatMap(({ long }) => long ?? []);
  const children = command.commands.flatMap((child) => listed(child, words));
  return acts(command) ? [{ words, options }, ...children] : children;
}
