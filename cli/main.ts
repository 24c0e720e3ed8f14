import { existsSync } from "node:fs";
import { CommanderError } from "commander";
import { InvalidSetting } from "../common/errors.js";
import { registerSimulated } from "../eval/simulated/provider.js";
import { closeWorkspaces } from "../workspace/home.js";
import { commandLine } from "./commandLine.js";
import { errorText } from "./errorText.js";
import { EXIT } from "./exit.js";
import { showLongWork } from "./longWork.js";
import { guardOutput } from "./visibleControls.js";

const DEBUG = "--debug";

/**
 * Runs the command line.
 *
 * @param argv the arguments behind the program's name; a first argument that is no command is a
 * request to solve
 * @returns the exit code: 0 solved, planned or done, 1 ran and not solved, 2 wrong usage or configuration,
 * 3 waiting for an approval, 130 cancelled
 */
export async function main(argv: string[]): Promise<number> {
  const debug = argv.includes(DEBUG);
  const guard = guardOutput();
  const longWork = showLongWork();
  try {
    readEnvFile();
    registerSimulated();
    return await run(argv.filter((word) => word !== DEBUG));
  } catch (error) {
    process.stderr.write(`${errorText({ error, debug })}\n`);
    return EXIT.usage;
  } finally {
    await closeWorkspaces();
    longWork.stop();
    guard.undo();
  }
}

/** The variables of `.env`, where the environment has none of the name. */
function readEnvFile(): void {
  if (!existsSync(".env")) return;
  try {
    process.loadEnvFile(".env");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidSetting({
      setting: ".env",
      problem: `cannot be read (${reason})`,
      hint: "Make it a readable file with lines of NAME=value, or remove it",
    });
  }
}

async function run(argv: string[]): Promise<number> {
  let code: number = EXIT.done;
  const exit = (exitCode: number) => {
    code = exitCode;
  };
  const { program, words } = await commandLine({ argv, exit });
  try {
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    // What was wrong, or the help that was asked for, has been printed by then.
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  return code;
}
