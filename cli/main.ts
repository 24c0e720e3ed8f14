import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { parseEnv } from "node:util";
import { CommanderError } from "commander";
import { InvalidSetting, UnknownName, messageOf } from "../common/errors.js";
import { fileText } from "../common/dataFile.js";
import { registerSimulated } from "../eval/simulated/provider.js";
import { closeWorkspaces, defaultDatabase, defaultHome } from "../home/home.js";
import { commandLine } from "./commandLine.js";
import { EXIT } from "./exit.js";
import { showLongWork } from "./printing/longWork.js";
import { misspeltVariables } from "./variables.js";
import { errorObject, errorText, printJson, guardOutput, tell } from "./printing/print.js";

const DEBUG = "--debug";

/** After how long whoever waits is told why, in milliseconds. */
const SENDING_MS = 2_000;

/**
 * Runs the command line.
 *
 * @param argv the arguments after the program's name; a first argument that is not a command is a request to solve
 * @returns the exit code: 0 solved, planned or done, 1 ran but not solved, 2 wrong usage or configuration,
 * 3 waiting for an approval, 130 cancelled
 */
export async function main(argv: string[]): Promise<number> {
  const debug = argv.includes(DEBUG);
  const guard = guardOutput();
  const longWork = showLongWork();
  try {
    giveFolder();
    readEnvFile();
    misspeltVariables(process.env).forEach(tell);
    registerSimulated();
    return await run(argv.filter((word) => word !== DEBUG));
  } catch (error) {
    report({ error, debug, json: wantsJson(argv) });
    return EXIT.usage;
  } finally {
    await closeWorkspaces();
    tellIfSending();
    longWork.stop();
    guard.undo();
  }
}

/** LangSmith's client keeps the process until its traces have arrived or it gives up, which takes minutes without a network. */
function tellIfSending(): void {
  const names = ["LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2"];
  if (!names.some((name) => process.env[name] === "true")) return;
  const told = "Done; traces are still being sent to LangSmith (Ctrl-C ends that)";
  setTimeout(tell, SENDING_MS, told).unref();
}

/** As in a container: a client of ours asks for the folder of a user whom the system does not know, and ends the run if there is none. */
function giveFolder(): void {
  try {
    homedir();
  } catch {
    process.env["HOME"] = "/";
  }
}

/** Loads `.env`; variables that the environment has already keep their values. */
function readEnvFile(): void {
  if (!existsSync(".env")) return;
  try {
    const variables = Object.entries(parseEnv(fileText(".env")));
    for (const [name, value] of variables) process.env[name] ??= value;
  } catch (error) {
    const reason = messageOf(error);
    throw new InvalidSetting({
      setting: ".env",
      problem: `cannot be read (${reason})`,
      hint: "Make it a readable file with lines of NAME=value, or remove it",
    });
  }
}

/** Prints an error on stderr and, if JSON is wanted, as one object on stdout, too. */
function report({ error, debug, json }: { error: unknown; debug: boolean; json: boolean }): void {
  tell(`${errorText({ error, debug })}${placeText(error)}`);
  if (json) printJson(errorObject(error));
}

/** Which home does not have it: in another folder, there may be another one. */
function placeText(error: unknown): string {
  const kind = error instanceof UnknownName ? error.details.kind : "";
  if (!["library", "thread", "source"].includes(kind)) return "";
  const isHere = defaultDatabase() === undefined;
  return `; looked in ${isHere ? defaultHome() : "the database of TULIPGRAPH_DATABASE_URL"}`;
}

/** Whether the words ask for JSON; those after `--` are another program's. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end === -1 ? undefined : end).includes("--json");
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
    if (!(error instanceof CommanderError)) throw error;
    // Commander has already printed the error or the help.
    if (error.exitCode === 0) return EXIT.done;
    if (wantsJson(argv)) printJson(errorObject(error));
    return EXIT.usage;
  }
  return code;
}
