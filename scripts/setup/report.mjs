/** Last lines of a failed command that are shown when debugging. */
const LINES_SHOWN = 40;

/** A set-up step failed; the message is one line that says what to do. */
export class SetupFailed extends Error {
  /**
   * @param {string} message what failed and what the user can do
   * @param {{ output?: string, log?: string }} [details] what the failed command printed, and the
   *   file that holds all of it
   */
  constructor(message, details = {}) {
    super(message);
    this.name = "SetupFailed";
    this.output = details.output ?? "";
    this.log = details.log;
  }
}

/**
 * The text for a failure: one line and, only when debugging, the end of the failed command's output (or the stack, if the
 * error is not one of ours).
 *
 * @param {unknown} error
 * @param {{ debug?: boolean }} [options]
 * @returns {string} ends with a line break
 */
export function explain(error, { debug = isDebugging() } = {}) {
  if (!(error instanceof Error)) return `set-up: ${String(error)}\n`;
  const log = error instanceof SetupFailed ? error.log : undefined;
  const message = error.message.replace(/\s*\n\s*/g, " ").trim();
  const line = message + (log ? `; the whole output is in ${log}` : "");
  const details = error instanceof SetupFailed ? error.output : (error.stack ?? "");
  const last = details.trimEnd().split("\n").slice(-LINES_SHOWN).join("\n");
  const shown = debug && details.trim() ? `${last}\n` : "";
  return `set-up: ${line}\n${shown}`;
}

function isDebugging() {
  return process.argv.includes("--debug") || process.env.TULIPGRAPH_DEBUG === "1";
}

/** A step that takes longer than this is announced (ms). */
const SILENT_MS = 1000;

/**
 * Does a piece of work. If it takes longer than a second, one line says what is going on, and another one at the end how
 * long it took.
 *
 * @template T
 * @param {{ title: string, quiet?: boolean, write?: (line: string) => void, work: () => Promise<T> }} step
 * @returns {Promise<T>}
 */
export async function withProgress({ title, quiet = false, write = writeLine, work }) {
  const started = performance.now();
  let announced = false;
  const timer = setTimeout(() => {
    announced = !quiet;
    if (announced) write(`set-up: ${title} …`);
  }, SILENT_MS);
  try {
    const result = await work();
    const seconds = Math.round((performance.now() - started) / 1000);
    if (announced) write(`set-up: ${title}: done in ${seconds} s`);
    return result;
  } finally {
    clearTimeout(timer);
  }
}

/** On stderr, because stdout belongs to the results. @param {string} line */
function writeLine(line) {
  process.stderr.write(`${line}\n`);
}
