import { existsSync } from "node:fs";
import module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Runs the command line. In a checkout, the set-up comes first.
 *
 * The exit code is set, not forced by process.exit, so that everything written to a pipe arrives.
 *
 * @param {string[]} [argv] the arguments after the command's name
 * @returns {Promise<void>}
 */
export async function launch(argv = process.argv.slice(2)) {
  endQuietlyWithoutReader();
  keepCompiledCode();
  if (isCheckout()) {
    const { setUpOrExplain } = await import("../scripts/setup.mjs");
    if (!(await setUpOrExplain())) {
      process.exitCode = 2;
      return;
    }
  }
  try {
    const { start } = await import(pathToFileURL(join(root, "dist", "cli", "start.js")).href);
    process.exitCode = await start(argv);
  } catch (error) {
    // The command line explains expected errors itself; this is a bug, or a broken installation.
    process.stderr.write(describeFault(error, argv.includes("--debug")));
    process.exitCode = 1;
  }
}

/** @param {unknown} error @param {boolean} debug @returns {string} one line, or the stack */
function describeFault(error, debug) {
  if (!(error instanceof Error)) return `tulipgraph: unexpected fault: ${String(error)}\n`;
  if (debug) return `tulipgraph: unexpected fault: ${error.stack}\n`;
  const line = error.message.replace(/\s*\n\s*/g, " ");
  return `tulipgraph: unexpected fault: ${line}; run it again with --debug for the details\n`;
}

/** A published package never contains a lock file, so one means that there are sources to build. */
function isCheckout() {
  return existsSync(join(root, "package-lock.json"));
}

/** Node 22.8 and newer start faster with what V8 has compiled before; NODE_DISABLE_COMPILE_CACHE=1 turns that off. */
function keepCompiledCode() {
  const { enableCompileCache } = /** @type {{ enableCompileCache?: () => unknown }} */ (module);
  enableCompileCache?.();
}

/** `tulipgraph … | head` closes the pipe early, which is not an error; a full disk is one. */
function endQuietlyWithoutReader() {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === "EPIPE") process.exit();
      if (stream === process.stdout)
        process.stderr.write(`error: the output cannot be written: ${error.message}\n`);
      process.exit(1);
    });
  }
}
