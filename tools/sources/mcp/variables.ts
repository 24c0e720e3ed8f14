/** `$$` for a dollar, `$NAME`, `${NAME}`, `${NAME:-otherwise}`, and `${env:NAME}` and `${input:id}` from editors. */
export const REFERENCE = /\$(?:\$|([A-Za-z_]\w*)|\{(env:|input:)?([\w.-]+)(?::-([^}]*))?\})/g;

/** Names that stand for folders. */
const EDITORS_OWN = new Set(["workspaceFolder", "userHome"]);

/** The name of the variable that a reference means; undefined for a dollar. */
export function variableIn([all, plain, kind, inBraces = ""]: readonly (string | undefined)[]) {
  if (all === "$$") return undefined;
  // For a value that an editor would ask for: API_KEY for `${input:api-key}`.
  const input = inBraces.replaceAll(/\W/g, "_").toUpperCase();
  return plain ?? (kind === "input:" ? input : inBraces);
}

/** The variables that texts refer to. */
export function variablesIn(texts: readonly string[]): string[] {
  const named = texts.flatMap((text) => [...text.matchAll(REFERENCE)]);
  return [...new Set(named.flatMap((each) => variableIn(each) ?? []))].filter(
    (variable) => !EDITORS_OWN.has(variable),
  );
}
