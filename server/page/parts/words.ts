import { useSyncExternalStore } from "react";
import type { Usage } from "../../../state/state.js";

/** A moment in the reader's own time. */
export function timeText(time: string | number | null): string {
  if (time === null) return "never";
  const at = new Date(time);
  const isToday = at.toDateString() === new Date().toDateString();
  return at.toLocaleString(undefined, {
    ...(isToday ? {} : { month: "short", day: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
  });
}

export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

/** "1 call", "3 calls". */
export function counted(count: number, word: string): string {
  return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}

export function tokensText(usage: Usage): string {
  const { inputTokens, cachedTokens, cacheEstimated, outputTokens, estimated } = usage;
  const about = cacheEstimated ? "about " : "";
  const cached = cachedTokens
    ? `, ${about}${cachedTokens.toLocaleString("en")} of them cached`
    : "";
  return `${counted(inputTokens + outputTokens, "token")}${cached}${estimated ? " (estimated)" : ""}`;
}

/** A value on one line. */
export function shortText(value: unknown, most = 120): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** The parts of the address after `#`: the view's name, then what it shows. */
export function useRoute(): string[] {
  const hash = useSyncExternalStore(
    (changed) => {
      window.addEventListener("hashchange", changed);
      return () => window.removeEventListener("hashchange", changed);
    },
    () => location.hash,
  );
  return hash.slice(1).split("/").map(decoded);
}

/** The address of a view. */
export function linkTo(...parts: string[]): string {
  return `#${parts.map(encodeURIComponent).join("/")}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
