import { isPlainObject } from "../../plans/references.js";

/** A search a model wants for one of its subtasks, numbered from 1. */
export interface WantedSearch {
  subtask: number;
  phrase: string;
}

/** Keys under which models write a phrase. */
const PHRASE_KEYS = ["phrase", "query", "search", "text", "description"];

/**
 * The searches in the arguments of a `search_tools` call. Numbers may be strings or start at 0. Phrases without
 * numbers go to the subtasks in order, any surplus to the last.
 *
 * @param subtasks how many there are
 * @returns undefined if there is no list or it contains no search
 */
export function readSearches(args: unknown, subtasks: number): WantedSearch[] | undefined {
  const list = listIn(args);
  if (!list) return undefined;
  const read = list.flatMap((item) => searchesIn(item));
  if (read.length === 0 && list.length > 0) return undefined;
  const first = read.some(({ subtask }) => subtask === 0) ? 0 : 1;
  return read.map(({ subtask, phrase }, at) => {
    const isNumber = subtask !== undefined && Number.isInteger(subtask);
    return { subtask: isNumber ? subtask + 1 - first : Math.min(at + 1, subtasks), phrase };
  });
}

function listIn(args: unknown): unknown[] | undefined {
  if (Array.isArray(args)) return args;
  if (!isPlainObject(args)) return undefined;
  const searches = args["searches"];
  if (Array.isArray(searches)) return searches;
  if (searches !== undefined) return [searches];
  const lists = Object.values(args).filter(Array.isArray);
  return lists.length === 1 ? lists[0] : undefined;
}

/** One phrase, or several for one subtask; no number if none is readable. */
function searchesIn(item: unknown): { subtask?: number; phrase: string }[] {
  const said = isPlainObject(item) ? PHRASE_KEYS.map((key) => item[key]) : [item];
  const phrases = said
    .flat()
    .filter((phrase): phrase is string => typeof phrase === "string" && phrase.trim() !== "");
  const number = isPlainObject(item) ? numberIn(item["subtask"]) : undefined;
  return phrases.map((phrase) => ({
    ...(number === undefined ? {} : { subtask: number }),
    phrase,
  }));
}

function numberIn(value: unknown): number | undefined {
  const digits = /^\s*(?:subtask\s*)?(\d{1,6})\s*$/i.exec(String(value))?.[1];
  return digits === undefined ? undefined : Number(digits);
}
