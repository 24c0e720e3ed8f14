import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { constants } from "node:os";

/** @import { Workplace } from "./prepare.mjs" */

/** Most characters of a command's output that are kept in memory; the log has all of it. */
const OUTPUT_KEPT = 1_000_000;
const PASSED_ON = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/**
 * @typedef {object} Command
 * @property {string} command
 * @property {string[]} args
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [timeoutMs] after this the command is killed; no limit by default
 * @property {string} [log] a file to which the command line and all output are appended
 */

/**
 * @typedef {object} Outcome
 * @property {number} code 0 on success; 127 if there is no such command
 * @property {string} output stdout and stderr in the order of their arrival
 * @property {boolean} timedOut
 */

/**
 * Runs a command without a terminal and collects what it prints. Never rejects: a command that does
 * not exist, fails or hangs has a code other than 0.
 *
 * @param {Command} request
 * @returns {Promise<Outcome>}
 */
export function runCommand({ command, args, cwd, env, timeoutMs, log }) {
  record(log, `\n$ ${[command, ...args].join(" ")}\n`);
  return new Promise((resolve) => {
    let output = "";
    const collect = (/** @type {string} */ text) => {
      record(log, text);
      output = (output + text).slice(-OUTPUT_KEPT);
    };
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.setEncoding("utf8").on("data", collect);
    child.stderr.setEncoding("utf8").on("data", collect);
    const stopPassingOn = passSignalsOn(child);
    let timedOut = false;
    const timer = timeoutMs && setTimeout(() => (timedOut = child.kill("SIGKILL")), timeoutMs);
    const end = (/** @type {number} */ code) => {
      clearTimeout(timer);
      stopPassingOn();
      resolve({ code, output, timedOut });
    };
    child.once("error", (error) => {
      collect(`${error.message}\n`);
      end(127);
    });
    child.once("close", (code, signal) =>
      end(code ?? 128 + (signal ? constants.signals[signal] : 0)),
    );
  });
}

/**
 * Ends the child when its parent is told to end, and the parent only after it: npm takes seconds to undo what it began,
 * and nobody may start again before that. A second signal ends the parent at once.
 *
 * @param {import("node:child_process").ChildProcess} child
 * @returns {() => void} stops it
 */
export function passSignalsOn(child) {
  const passOn = (/** @type {NodeJS.Signals} */ signal) => {
    stop();
    child.once("close", () => process.kill(process.pid, signal));
    child.kill(signal);
  };
  const stop = () => PASSED_ON.forEach((signal) => process.off(signal, passOn));
  PASSED_ON.forEach((signal) => process.on(signal, passOn));
  return stop;
}

/** @param {string | undefined} log @param {string} text */
function record(log, text) {
  if (log) appendFileSync(log, text);
}

/**
 * Installs Debian packages without asking; needs root.
 *
 * @param {Pick<Workplace, "run" | "env" | "log">} place
 * @param {string[]} packages
 * @returns {Promise<string>} why it failed, or empty
 */
export async function installByApt({ run, env, log }, packages) {
  const unattended = { ...env, DEBIAN_FRONTEND: "noninteractive" };
  // Wait for another apt that is running, instead of failing at once (s).
  const patience = ["-o", "DPkg::Lock::Timeout=120"];
  const apt = (/** @type {string[]} */ args) =>
    run({ command: "apt-get", args: [...patience, ...args], env: unattended, log });
  // A failed update is not a reason to stop: the existing lists may suffice.
  await apt(["update"]);
  const { code, output } = await apt(["install", "-y", "--no-install-recommends", ...packages]);
  if (code === 0) return "";
  const reason = output.match(/^E: .+$/m)?.[0] ?? `it ended with code ${code}`;
  return `apt-get could not install ${packages.join(" ")} (${reason})`;
}
