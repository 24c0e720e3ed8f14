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
