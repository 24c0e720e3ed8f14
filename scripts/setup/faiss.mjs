import { mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { compileBinding } from "./faiss-compile.mjs";
import { fetchPrebuilt } from "./faiss-prebuilt.mjs";
import { stampFile } from "./packages.mjs";
import { SetupFailed, withProgress } from "./report.mjs";
import { readStamp, updateStamp } from "./stamp.mjs";

/** @import { Step, Workplace } from "./prepare.mjs" */

/**
 * `attempt` puts the binding at `file`, in a folder of its own, and returns why it cannot; an empty text if it can.
 *
 * @typedef {object} Way
 * @property {string} title
 * @property {string} name
 * @property {(place: Workplace, folder: string, file: string) => Promise<string>} attempt
 */

/** The ways to get the binding, in the order in which they are tried. @type {Record<string, Way>} */
const WAYS = {
  prebuilt: {
    title: "fetching the prebuilt FAISS binding",
    name: "the prebuilt file",
    attempt: fetchPrebuilt,
  },
  build: {
    title: "compiling the FAISS binding",
    name: "the compiled binding",
    attempt: compileBinding,
  },
};

/**
 * The native binding of faiss-node: an existing one that works stays, otherwise the official prebuilt file, otherwise a
 * build against the system's FAISS. `TULIPGRAPH_FAISS=prebuilt|build` allows only one of the two.
 *
 * @type {Step}
 */
export const faissStep = {
  isDone: ({ root }) => {
    const { faiss } = readStamp(stampFile(root));
    return faiss !== undefined && JSON.stringify(faiss) === JSON.stringify(identify(root));
  },
  work: async (place) => {
    const folder = packageFolder(place.root);
    if (await probe(place, folder)) await obtain(place, folder);
    updateStamp(stampFile(place.root), { faiss: identify(place.root) });
  },
};

/**
 * A checkout works without FAISS. Where the binding cannot be had, one line says why, and later starts do not try again;
 * but who names a way to get it, gets it or an error.
 *
 * @type {Step}
 */
export const faissIfPossible = {
  isDone: (place) =>
    faissStep.isDone(place) ||
    (!place.env.TULIPGRAPH_FAISS && readStamp(stampFile(place.root)).withoutFaiss === MACHINE),
  work: async (place) => {
    try {
      await faissStep.work(place);
    } catch (error) {
      if (!(error instanceof SetupFailed) || place.env.TULIPGRAPH_FAISS) throw error;
      updateStamp(stampFile(place.root), { withoutFaiss: MACHINE });
      process.stderr.write(`set-up: ${error.message}. ${GOING_ON}\n`);
    }
  },
};

const MACHINE = `${process.platform} ${process.arch} ${process.version}`;

const GOING_ON =
  "Going on without it: vectors are compared in memory, which finds the same and takes longer in large libraries. To try again, run: TULIPGRAPH_FAISS=build npm run setup";

/**
 * @param {Workplace} place
 * @param {string} folder of the faiss-node package
 */
async function obtain(place, folder) {
  const problems = [];
  for (const way of chosenWays(place.env)) {
    const problem = await withProgress({
      title: way.title,
      quiet: place.quiet,
      work: () => tryWay(way, place, folder),
    });
    if (!problem) return;
    problems.push(problem);
  }
  throw new SetupFailed(`FAISS is not ready: ${problems.join("; ")}`, place.log);
}

/**
 * The binding is made elsewhere, and put in place only if it works.
 *
 * @param {Way} way
 * @param {Workplace} place
 * @param {string} folder of the faiss-node package
 * @returns {Promise<string>} why there is no binding, or empty
 */
async function tryWay({ name, attempt }, place, folder) {
  const aside = join(folder, `.new-${process.pid}`);
  const made = join(aside, "build", "Release");
  const release = join(folder, "build", "Release");
  const binding = join(made, "faiss-node.node");
  try {
    mkdirSync(made, { recursive: true });
    const missing = await attempt(place, folder, binding);
    if (missing) return missing;
    const problem = await probe(place, binding);
    if (problem) return `${name} ${problem}`;
    rmSync(release, { recursive: true, force: true });
    mkdirSync(dirname(release), { recursive: true });
    renameSync(made, release);
    return "";
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** @param {NodeJS.ProcessEnv} env @returns {Way[]} */
function chosenWays(env) {
  const chosen = env.TULIPGRAPH_FAISS;
  if (!chosen) return Object.values(WAYS);
  const way = WAYS[chosen];
  if (way) return [way];
  const known = Object.keys(WAYS).join(" or ");
  throw new SetupFailed(`TULIPGRAPH_FAISS: "${chosen}" is not a way to get FAISS; use ${known}`);
}

/** @param {string} root */
function packageFolder(root) {
  try {
    return dirname(createRequire(join(root, "package.json")).resolve("faiss-node/package.json"));
  } catch {
    throw new SetupFailed("faiss-node is not installed; remove node_modules and start again");
  }
}

/**
 * What a working binding depends on: with the same values it need not be tested again.
 *
 * @param {string} root
 */
function identify(root) {
  const file = join(root, "node_modules", "faiss-node", "build", "Release", "faiss-node.node");
  const found = statSync(file, { throwIfNoEntry: false });
  return {
    node: process.version,
    platform: process.platform,
    arch: process.arch,
    size: found?.size ?? 0,
    // Whole seconds, because archives and image layers keep no more.
    modified: Math.floor((found?.mtimeMs ?? 0) / 1000),
  };
}

const PROBE_MS = 30_000;

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
 * @param {Workplace} place
 * @param {string} target the path of the faiss-node package or of the bare `.node` file
 * @returns {Promise<string>} what is wrong with it, or empty
 */
async function probe(place, target) {
  const { code, output, timedOut } = await place.run({
    command: process.execPath,
    args: ["-e", SCRIPT, target],
    env: place.env,
    timeoutMs: PROBE_MS,
    log: place.log,
  });
  if (code === 0) return "";
  const reason = timedOut ? "it hangs" : firstReason(output);
  return `does not work (${reason})`;
}

/** @param {string} output */
function firstReason(output) {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => /error/i.test(line))?.trim() ?? lines[0]?.trim() ?? "it crashed";
}
