import type { Call } from "./state.js";

/**
 * Tools that were called and never helped (BTP: "useless"). A tool that helped once is never among them,
 * however often it fails.
 */
export function uselessTools(calls: readonly Call[]): Set<string> {
  const helped = new Set(calls.filter(({ helpful }) => helpful === true).map(({ tool }) => tool));
  return new Set(
    calls
      .filter(({ tool, helpful }) => helpful === false && !helped.has(tool))
      .map(({ tool }) => tool),
  );
}
