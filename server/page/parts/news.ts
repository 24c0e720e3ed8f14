import { useSyncExternalStore } from "react";
import { Away, Refusal, messageOf } from "./api.js";

/** What the whole page tells its user: that the server is away, and how the last action went. */
interface News {
  away: string;
  told: string;
  isBad: boolean;
  /** The key is missing or no longer valid. */
  wantsKey: boolean;
}

let news: News = { away: "", told: "", isBad: false, wantsKey: false };
const listeners = new Set<() => void>();

function change(part: Partial<News>): void {
  news = { ...news, ...part };
  for (const listener of listeners) listener();
}

export function useNews(): News {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => news,
  );
}

/** Says how an action went, to the eye and to screen readers. */
export function tell(told: string, isBad = false): void {
  change({ told, isBad });
}

/** The server has answered. */
export function isBack(): void {
  if (news.away) change({ away: "", told: "The server is back.", isBad: false });
}

export function keyIsGiven(): void {
  change({ wantsKey: false });
}

/** Tells of a server that is away and of a key that does not hold; whether it was one of these. */
export function tellGlobal(error: unknown): boolean {
  if (error instanceof Away) {
    change({ away: `${error.message} This page will continue when it is back.` });
    return true;
  }
  if (!(error instanceof Refusal) || error.status !== 401) return false;
  change({ wantsKey: true });
  return true;
}

/** Does what a button is for, and says how it went; whether it went well. */
export async function act(work: () => Promise<string>): Promise<boolean> {
  try {
    tell(await work());
    return true;
  } catch (error) {
    tell(messageOf(error), true);
    return false;
  }
}
