import type { Call } from "../state/state.js";
import { bold, shorten } from "./terminal.js";

/** Most characters of a value that are shown in a line. */
const VALUE_LENGTH = 100;

/** A call as a person would write it. */
export function callText({ tool, args }: Pick<Call, "tool" | "args">): string {
  const shown = Object.entries(args).map(([name, value]) => `${name}=${valueText(value)}`);
  return `${bold(tool)}(${shown.join(", ")})`;
}

/** A value as JSON, cut where it is long. */
export function valueText(value: unknown): string {
  return shorten({ text: JSON.stringify(value) ?? "nothing", width: VALUE_LENGTH });
}
