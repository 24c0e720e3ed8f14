import type { EarlierTurn } from "./stageInputs.js";

/** The conversation before the current request, for a prompt without the messages. */
export function earlierTurnsText(turns: readonly EarlierTurn[]): string {
  if (turns.length === 0) return "";
  const lines = turns.map(({ role, text }) => `${role === "user" ? "User" : "Agent"}: ${text}`);
  return ["The conversation so far:", ...lines].join("\n");
}

/** The background facts, for the end of a system prompt; empty if there are none. */
export function backgroundText(background: string | undefined): string {
  return background ? `What you know about the situation: ${background}` : "";
}
