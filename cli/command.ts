import { Argument, Command, Option } from "commander";
import type { Exit } from "./exit.js";
import { examples } from "./options.js";

/** What help says of an option or an argument, and how its text is read. */
type Taken =
  | string
  | {
      text: string;
      read?: (text: string, before: never) => unknown;
      /** Its value when it is left out. */
      usual?: unknown;
      choices?: readonly string[];
      /** Options that it does not go with. */
      conflicts?: string[];
      isRequired?: true;
    };

/** A command as a table: what its help says, what it takes, and what it does. */
export interface CommandForm {
  about: string;
  args?: Record<string, Taken>;
  options?: Record<string, Taken>;
  examples?: readonly string[];
  /** Stands before the examples. */
  moreHelp?: () => string;
  commands?: Record<string, CommandForm>;
  /** Gets the arguments, the options and the command; a number that it returns is the exit code. */
  run?: (...given: never[]) => unknown;
}

export function makeCommand(name: string, form: CommandForm, exit: Exit): Command {
  const {
    about,
    args = {},
    options = {},
    examples: lines = [],
    moreHelp,
    commands = {},
    run,
  } = form;
  const command = new Command(name).description(about);
  for (const [flags, taken] of Object.entries(args)) {
    const { text, read, choices } = typeof taken === "string" ? { text: taken } : taken;
    const argument = new Argument(flags, text);
    if (read) argument.argParser(read as (text: string) => unknown);
    if (choices) argument.choices(choices);
    command.addArgument(argument);
  }
  for (const [flags, taken] of Object.entries(options)) command.addOption(optionOf(flags, taken));
  if (lines.length > 0) command.addHelpText("after", () => (moreHelp?.() ?? "") + examples(lines));
  for (const [each, inner] of Object.entries(commands))
    command.addCommand(makeCommand(each, inner, exit));
  if (!run) return command;
  return command.action(async (...given: unknown[]) => {
    const code = await (run as (...given: unknown[]) => unknown)(...given);
    if (typeof code === "number") exit(code);
  });
}

function optionOf(flags: string, taken: Taken): Option {
  if (typeof taken === "string") return new Option(flags, taken);
  const { text, read, usual, choices, conflicts = [], isRequired = false } = taken;
  const option = new Option(flags, text).default(usual).conflicts(conflicts);
  if (read) option.argParser(read as (text: string) => unknown);
  if (choices) option.choices(choices);
  return option.makeOptionMandatory(isRequired);
}
