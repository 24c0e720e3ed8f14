/** Whether a value is one of those wanted; without any wanted, all are. */
export function isAmong<Value>(
  value: Value | undefined,
  wanted: readonly Value[] | undefined,
): boolean {
  return wanted === undefined || (value !== undefined && wanted.includes(value));
}

/** Whether any of some values is one of those wanted; without any wanted, all are. */
export function isAnyAmong<Value>(
  values: readonly Value[] | undefined,
  wanted: readonly Value[] | undefined,
): boolean {
  return wanted === undefined || (values ?? []).some((value) => wanted.includes(value));
}

/**
 * The ids that a filter wants, as the rows have them. An id that there is not would let nothing through,
 * which nobody could tell from there being nothing.
 *
 * @param find gives the row of an id, or throws
 */
export function known(
  ids: readonly string[] | undefined,
  find: (id: string) => { id: string },
): string[] | undefined {
  return ids?.map((id) => find(id).id);
}
