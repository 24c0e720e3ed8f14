/** A set-up step failed; the message is one line that says what to do. */
export class SetupFailed extends Error {
  /**
   * @param {string} message what failed and what the user can do
   * @param {string} [log] the file with the whole output of the failed command
   */
  constructor(message, log) {
    super(message);
    this.name = "SetupFailed";
    this.log = log;
  }
}

/**
 * The text for a failure.
 *
 * @param {unknown} error
 * @returns {string} one line
 */
export function explain(error) {
  if (!(error instanceof Error)) return `set-up: ${String(error)}\n`;
  const log = error instanceof SetupFailed ? error.log : undefined;
  const message = error.message.replace(/\s*\n\s*/g, " ").trim();
  return `set-up: ${message}${log ? `; the whole output is in ${log}` : ""}\n`;
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
