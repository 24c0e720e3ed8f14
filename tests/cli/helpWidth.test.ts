import type { Command } from "commander";
import { expect, it } from "vitest";
import { commandTree } from "../../scripts/commandTree.js";

it("the help of every command fits 80 columns", async () => {
  const { program, commands } = await commandTree();
  const helps = [program, ...commands].flatMap(helpsIn);
  expect(helps.length).toBeGreaterThan(40);
  const long = helps.flatMap(({ name, text }) =>
    text.split("\n").flatMap((line) => (line.length > 80 ? [`${name}: ${line}`] : [])),
  );
  expect(long).toEqual([]);
});

/** The help of a command and of its subcommands, as it is printed to a file. */
function helpsIn(command: Command): { name: string; text: string }[] {
  let text = "";
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 80 });
  command.outputHelp();
  return [{ name: command.name(), text }, ...command.commands.flatMap(helpsIn)];
}
