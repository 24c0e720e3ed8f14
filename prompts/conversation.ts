import type { EarlierTurn } from "./stages.js";

/** The conversation before the current request, for a prompt that does not carry the messages. */
export function earlierTurnsText(turns: readonly EarlierTurn[]): string {
  if (turns.length === 0) return "";
  const lines = turns.map(({ role, text }) => `${role === "user" ? "User" : "Agent"}: ${text}`);
  return ["The conversation so far:", ...lines].join("\n");
}
