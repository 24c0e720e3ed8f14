import { faissStep } from "./faiss.mjs";
import { prepare } from "./prepare.mjs";

/**
 * Gets the FAISS binding for a process that found none: the packages were installed by npm alone,
 * which runs no script of theirs (the image of `langgraphjs dockerfile`, a bare `npm ci`).
 *
 * @returns {Promise<void>}
 * @throws {import("./failure.mjs").SetupFailed} when there is no way to get it
 */
export async function setUpFaiss() {
  await prepare({ steps: [faissStep] });
}
