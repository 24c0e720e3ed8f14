import { Command } from "commander";
import { collected, examples } from "../options.js";
import { savePlan } from "../runs/planSaving.js";

/** `tulipgraph plans save` */
export function plansCommand(): Command {
  const command = new Command("plans")
    .description("Save the plans of runs as tools")
    .addHelpText(
      "after",
      examples(["tulipgraph plans save chores --as close_stale_issues --parameter days=30"]),
    );
  addSave(command);
  return command;
}

function addSave(command: Command): void {
  command
    .command("save")
    .description(
      "Save the program of a thread's last run as a tool. The run must have solved its request",
    )
    .argument("<thread>", "the thread's id")
    .requiredOption("--as <name>", "the tool's name")
    .option(
      "--parameter <name=value>",
      "turn a value in the program into a parameter; repeatable",
      collected,
    )
    .option("--description <text>", "what the tool does; searches read it")
    .option("--replace", "save it as the next version of the plan of that name")
    .addHelpText(
      "after",
      examples([
        "tulipgraph plans save chores --as close_stale_issues --parameter days=30",
        'tulipgraph plans save chores --as close_issues_of --parameter "owner=Freya Lund" --description "Close all issues of a person"',
      ]),
    )
    .action(savePlan);
}
