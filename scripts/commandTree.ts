import type { Command } from "commander";
import { commandLine } from "../cli/commandLine.js";

const exit = () => undefined;

/** The program, and its commands as they are defined, each loaded with its subcommands. */
export async function commandTree(): Promise<{ program: Command; commands: Command[] }> {
  const { program } = await commandLine({ argv: ["--help"], exit });
  const names = program.commands.map((command) => command.name());
  const loaded = await Promise.all(
    names.map(async (name) => {
      const line = await commandLine({ argv: [name], exit });
      return line.program.commands.find((command) => command.name() === name);
    }),
  );
  return { program, commands: loaded.flatMap((command) => command ?? []) };
}

/** Whether a command does something itself, and not only its subcommands. */
export function acts(command: Command): boolean {
  return "_actionHandler" in command && command["_actionHandler"] !== null;
}

/** The examples at the end of a command's help, line by line. */
export function examplesOf(command: Command): string[] {
  let help = "";
  command.configureOutput({ writeOut: (text) => (help += text) });
  command.outputHelp();
  const [, lines = ""] =
    /\nExamples?:\n((?: {2}.*\n)+)/.exec(help.replaceAll(/ \\\n +/g, " ")) ?? [];
  return lines.split("\n").flatMap((line) => line.trim() || []);
}
