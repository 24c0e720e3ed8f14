/** @import { Workplace } from "./prepare.mjs" */
/** @import { Attempt } from "./faiss.mjs" */

const TIMEOUT_MS = 30_000;

/**
 * Runs in a separate process, since a bad binding can crash it. The batch size matters: from 20 queries on, FAISS calls
 * BLAS, and a binding linked without it crashes only then.
 */
const SCRIPT = `
  const { IndexFlatL2 } = require(process.argv[1]);
  const vectors = Array.from({ length: 64 * 4 }, (_, i) => Math.sin(i));
  const index = new IndexFlatL2(4);
  index.add(vectors);
  const { labels } = index.search(vectors, 1);
  if (labels.length !== 64 || labels[3] !== 3) throw new Error("it finds the wrong vectors");
`;

/**
 * Tests whether a FAISS binding loads and finds the right vectors.
 *
 * @param {{ place: Pick<Workplace, "run" | "env" | "log">, target: string }} request `target` is the
 *   path of the faiss-node package or of the bare `.node` file
 * @returns {Promise<Attempt>}
 */
export async function probe({ place, target }) {
  const { code, output, timedOut } = await place.run({
    command: process.execPath,
    args: ["-e", SCRIPT, target],
    env: place.env,
    timeoutMs: TIMEOUT_MS,
    log: place.log,
  });
  if (code === 0) return { problem: "" };
  const reason = timedOut ? "it hangs" : firstReason(output);
  return { problem: `does not work (${reason})`, output };
}

/** @param {string} output */
function firstReason(output) {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => /error/i.test(line))?.trim() ?? lines[0]?.trim() ?? "it crashed";
}
