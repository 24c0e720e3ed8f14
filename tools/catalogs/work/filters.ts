/** Whether a value is among the wanted ones; without a filter, every value is. */
export function isAmong<Value>(
  value: Value | undefined,
  wanted: readonly Value[] | undefined,
): boolean {
  return wanted === undefined || (value !== undefined && wanted.includes(value));
}

/** Whether any of the values is among the wanted ones; without a filter, every value is. */
export function isAnyAmong<Value>(
  values: readonly Value[] | undefined,
  wanted: readonly Value[] | undefined,
): boolean {
  return wanted === undefined || (values ?? []).some((value) => wanted.includes(value));
}

/**
 * The ids of a filter, as the rows spell them. An unknown id is an error: a filter with it would match nothing, which looks
 * the same as an empty result.
 *
 * @param find returns the row of an id, or throws
 */
export function known(
  ids: readonly string[] | undefined,
  find: (id: string) => { id: string },
): string[] | undefined {
  return ids?.map((id) => find(id).id);
}
