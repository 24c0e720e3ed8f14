/** @import { Workplace } from "./prepare.mjs" */

/**
 * Installs Debian's packages without asking; only root can.
 *
 * @param {Pick<Workplace, "run" | "env" | "log">} place
 * @param {string[]} packages
 * @returns {Promise<{ problem: string, output?: string }>} an empty problem when they are there
 */
export async function installByApt({ run, env, log }, packages) {
  const unattended = { ...env, DEBIAN_FRONTEND: "noninteractive" };
  // Somebody else's running apt is waited for instead of failing at once (s).
  const patience = ["-o", "DPkg::Lock::Timeout=120"];
  const apt = (/** @type {string[]} */ args) =>
    run({ command: "apt-get", args: [...patience, ...args], env: unattended, log });
  // A failing update is no reason to stop: the lists that are there may do.
  await apt(["update"]);
  const { code, output } = await apt(["install", "-y", "--no-install-recommends", ...packages]);
  if (code === 0) return { problem: "" };
  const reason = output.match(/^E: .+$/m)?.[0] ?? `it ended with code ${code}`;
  return { problem: `apt-get could not install ${packages.join(" ")} (${reason})`, output };
}
