import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { compileBinding } from "./faiss-compile.mjs";
import { fetchPrebuilt } from "./faiss-prebuilt.mjs";
import { probe } from "./faiss-probe.mjs";
import { SetupFailed } from "./failure.mjs";
import { stampFile } from "./packages.mjs";
import { withProgress } from "./progress.mjs";
import { readStamp, updateStamp } from "./stamp.mjs";

/** @import { Step, Workplace } from "./prepare.mjs" */

/**
 * The result of a way to get the binding: `problem` is empty if it works.
 *
 * @typedef {{ problem: string, output?: string }} Attempt
 */

/** @typedef {{ title: string, attempt: (place: Workplace, folder: string) => Promise<Attempt> }} Way */

/** The ways to get the binding, in the order in which they are tried. @type {Record<string, Way>} */
const WAYS = {
  prebuilt: { title: "fetching the prebuilt FAISS binding", attempt: fetchPrebuilt },
  build: { title: "compiling the FAISS binding", attempt: compileBinding },
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
    const { problem } = await probe({ place, target: folder });
    if (problem) await obtain(place, folder);
    updateStamp(stampFile(place.root), { faiss: identify(place.root) });
  },
};

/**
 * @param {Workplace} place
 * @param {string} folder of the faiss-node package
 */
async function obtain(place, folder) {
  const problems = [];
  let output = "";
  for (const { title, attempt } of chosenWays(place.env)) {
    const result = await withProgress({
      title,
      quiet: place.quiet,
      work: () => attempt(place, folder),
    });
    if (!result.problem) return;
    problems.push(result.problem);
    output = result.output ?? output;
  }
  throw new SetupFailed(`FAISS is not ready: ${problems.join("; ")}`, { output, log: place.log });
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
  } catch (cause) {
    throw new SetupFailed("faiss-node is not installed; remove node_modules and start again", {
      output: String(cause),
    });
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
