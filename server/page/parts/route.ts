import { useSyncExternalStore } from "react";

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
