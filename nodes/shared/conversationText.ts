import type { EarlierTurn } from "./stageInputs.js";

/** The conversation before the current request, for a prompt that does not carry the messages. */
export function earlierTurnsText(turns: readonly EarlierTurn[]): string {
  if (turns.length === 0) return "";
  const lines = turns.map(({ role, text }) => `${role === "user" ? "User" : "Agent"}: ${text}`);
  return ["The conversation so far:", ...lines].join("\n");
}

/** What is known about the situation, for the end of a system prompt; empty where nothing is. */
export function backgroundText(background: string | undefined): string {
  return background ? `What you know about the situation: ${background}` : "";
}
