/** @import { Workplace } from "./prepare.mjs" */

/**
 * Installs Debian packages without asking; needs root.
 *
 * @param {Pick<Workplace, "run" | "env" | "log">} place
 * @param {string[]} packages
 * @returns {Promise<{ problem: string, output?: string }>} `problem` is empty on success
 */
export async function installByApt({ run, env, log }, packages) {
  const unattended = { ...env, DEBIAN_FRONTEND: "noninteractive" };
  // Wait for another apt that is running, instead of failing at once (s).
  const patience = ["-o", "DPkg::Lock::Timeout=120"];
  const apt = (/** @type {string[]} */ args) =>
    run({ command: "apt-get", args: [...patience, ...args], env: unattended, log });
  // A failed update is no reason to stop: the existing lists may suffice.
  await apt(["update"]);
  const { code, output } = await apt(["install", "-y", "--no-install-recommends", ...packages]);
  if (code === 0) return { problem: "" };
  const reason = output.match(/^E: .+$/m)?.[0] ?? `it ended with code ${code}`;
  return { problem: `apt-get could not install ${packages.join(" ")} (${reason})`, output };
}
