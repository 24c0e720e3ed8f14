import { UnknownName } from "../../../common/errors.js";
import type { CreationRequest } from "../request.js";
import { DATES } from "./dates.js";
import { LIBRARY } from "./library.js";
import { NUMBERS } from "./numbers.js";
import { RECORDS } from "./records.js";
import { TEXTS } from "./texts.js";

/** All requests for tools, in the order in which they are made. */
export const CREATION_REQUESTS: readonly CreationRequest[] = [
  ...NUMBERS,
  ...TEXTS,
  ...DATES,
  ...RECORDS,
  ...LIBRARY,
];

/**
 * The requests with these ids, in their usual order; all of them where no ids are given.
 *
 * @throws UnknownName for an id that no request has
 */
export function chooseRequests(ids?: readonly string[]): CreationRequest[] {
  const available = CREATION_REQUESTS.map(({ id }) => id);
  for (const wanted of ids ?? []) {
    if (!available.includes(wanted)) {
      throw new UnknownName({ kind: "request", wanted, available });
    }
  }
  return CREATION_REQUESTS.filter(({ id }) => ids?.includes(id) ?? true);
}
