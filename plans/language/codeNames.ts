/** Words that cannot name a function in code. */
const RESERVED = new Set(
  "await break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof let new null return super switch this throw true try typeof undefined var void while with yield".split(
    " ",
  ),
);

/**
 * Names of tools in code: tool names may contain characters not allowed in code (`get-item`), or be keywords
 * (`delete`).
 *
 * @returns name of the tool → name in code; two tools never share one
 */
export function codeNames(names: readonly string[]): Map<string, string> {
  const plain = new Set(names.filter((name) => codeName(name) === name));
  const taken = new Set(plain);
  const found = new Map<string, string>();
  for (const name of new Set(names)) {
    const wanted = codeName(name);
    const own = plain.has(name) ? name : free(wanted, taken);
    taken.add(own);
    found.set(name, own);
  }
  return found;
}

function codeName(name: string): string {
  const letters = name.replaceAll(/[^\w$]/g, "_");
  return RESERVED.has(letters) || !/^[A-Za-z_$]/.test(letters) ? `_${letters}` : letters;
}

function free(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`;
  return name;
}
