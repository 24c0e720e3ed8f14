/** Paging fields, which say nothing about a list's content. */
const PAGING =
  /^(?:total\w*|count|pages?|page_\w+|per_page|limit|offset|has_?more|next\w*|prev\w*|cursor)$/i;

/**
 * The name of the list in an object with only a list and its paging: `{ items: […], total: 3 }`. A program that
 * uses such an object as a list can only mean that one; an object with other fields is a thing that has a list.
 */
export function wrappedListIn(
  fields: readonly { name: string; isList: boolean }[],
): string | undefined {
  const [only, ...others] = fields.filter(({ isList }) => isList);
  const isPlain = fields.every(({ name, isList }) => isList || PAGING.test(name));
  return only && others.length === 0 && isPlain ? only.name : undefined;
}
