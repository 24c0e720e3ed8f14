import { join } from "node:path";
import { inject } from "vitest";

/**
 * A program of the tests (tests/compiled.ts lists them), compiled.
 *
 * @param source its TypeScript file, named from the project's folder
 */
export function programFile(source: string): string {
  return join(inject("programs"), source.replace(/\.ts$/, ".mjs"));
}
