/** What stands beside a list that is given in pages, and says nothing of what the list is of. */
const PAGING =
  /^(?:total\w*|count|pages?|page_\w+|per_page|limit|offset|has_?more|next\w*|prev\w*|cursor)$/i;

/**
 * The name of the list in an object that is nothing but a list with its paging: `{ items: […], total: 3 }`. Where a
 * program takes such an object for a list, there is one that it can mean; what has other fields is a thing of
 * its own, which may have a list.
 */
export function wrappedListIn(
  fields: readonly { name: string; isList: boolean }[],
): string | undefined {
  const [only, ...others] = fields.filter(({ isList }) => isList);
  const isPlain = fields.every(({ name, isList }) => isList || PAGING.test(name));
  return only && others.length === 0 && isPlain ? only.name : undefined;
}
