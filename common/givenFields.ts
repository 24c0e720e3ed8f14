/** The fields of an object that are given: neither undefined nor null. */
export function givenFields<Values extends object>(values: Values): Partial<Values> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given) as Partial<Values>;
}
