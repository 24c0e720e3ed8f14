import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { installByApt } from "./command.mjs";
import { withProgress } from "./report.mjs";

/** @import { Workplace } from "./prepare.mjs" */

/**
 * faiss-node's source is written for FAISS 1.7.4. Version 1.7.3 of Debian 12 lacks this name; newer versions define it
 * identically.
 */
const COMPATIBILITY = `#include <cstdint>
namespace faiss { using idx_t = int64_t; }
`;

/** FAISS is a static library in Debian, so its own dependencies have to be named as well. */
const LIBRARIES = ["-lfaiss", "-llapack", "-lblas", "-fopenmp"];

const COMPILER_PACKAGE = "g++";
const FAISS_PACKAGE = "libfaiss-dev";

/**
 * Compiles the binding against the system's FAISS, which is first installed if that is possible without asking (as root,
 * with apt).
 *
 * @param {Workplace} place
 * @param {string} folder of the faiss-node package
 * @param {string} file where the binding belongs
 * @returns {Promise<string>} why it cannot, or empty
 */
export async function compileBinding(place, folder, file) {
  return (await supply(place, dirname(dirname(file)))) || (await compile(place, folder, file));
}

/** @param {Workplace} place @param {string} aside @returns {Promise<string>} */
async function supply(place, aside) {
  const missing = await missingPackages(place, aside);
  if (missing.length === 0) return "";
  const packages = missing.join(" ");
  const apt = await place.run({ command: "apt-get", args: ["--version"], env: place.env });
  if (apt.code !== 0) {
    return `install a C++ compiler and the FAISS library (Debian: ${packages})`;
  }
  if (!place.isRoot) {
    return `to compile it, run: sudo apt-get install ${packages}`;
  }
  return withProgress({
    title: `installing ${packages}`,
    quiet: place.quiet,
    work: () => installByApt(place, missing),
  });
}

/**
 * Asks the compiler, not the package list, since FAISS may have come from elsewhere.
 *
 * @param {Workplace} place
 * @param {string} aside
 * @returns {Promise<string[]>} Debian's names
 */
async function missingPackages({ run, env, log }, aside) {
  const source = ["-include", "faiss/IndexFlat.h", "-x", "c++", "/dev/null", "-x", "none"];
  const { code } = await run({
    command: compilerFrom(env),
    args: ["-shared", "-fPIC", ...source, ...LIBRARIES, "-o", join(aside, "try.so")],
    env,
    log,
  });
  if (code === 0) return [];
  return code === 127 ? [FAISS_PACKAGE, COMPILER_PACKAGE] : [FAISS_PACKAGE];
}

/** @param {Workplace} place @param {string} folder @param {string} binding @returns {Promise<string>} */
async function compile(place, folder, binding) {
  const resolve = createRequire(join(place.root, "package.json")).resolve;
  const header = join(dirname(dirname(binding)), "compatibility.h");
  writeFileSync(header, COMPATIBILITY);
  const kind = ["-O3", "-std=c++17", "-fPIC", "-shared", "-DNAPI_VERSION=6"];
  const headers = [
    `-I${dirname(resolve("node-addon-api/package.json"))}`,
    `-I${join(dirname(resolve("node-api-headers/package.json")), "include")}`,
  ];
  const source = join(folder, "src", "faiss.cc");
  const { code, output } = await place.run({
    command: compilerFrom(place.env),
    args: [...kind, ...headers, "-include", header, source, ...LIBRARIES, "-o", binding],
    env: place.env,
    log: place.log,
  });
  if (code === 0) return "";
  const reason = output.match(/^.*\berror: .+$/m)?.[0] ?? `the compiler ended with code ${code}`;
  return `it does not compile (${reason.trim()})`;
}

/** @param {NodeJS.ProcessEnv} env */
function compilerFrom(env) {
  return env.CXX || "g++";
}
