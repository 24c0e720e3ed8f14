const RESERVED = new Set(
  "await break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof let new null return super switch this throw true try typeof undefined var void while with yield".split(
    " ",
  ),
);

/**
 * Names of tools in code: tool names may contain characters not allowed in code (`get-item`), or be keywords
 * (`delete`). The name of a group's function has a dot: `git.commit`.
 *
 * @returns name of the tool → name in code; two tools never share one
 */
export function codeNames(names: readonly string[]): Map<string, string> {
  const plain = new Set(names.filter((name) => codeName(name) === name));
  const taken = new Set(plain);
  const found = new Map<string, string>();
  for (const name of new Set(names)) {
    const wanted = codeName(name);
    const own = plain.has(name) ? name : freeName(wanted, taken);
    taken.add(own);
    found.set(name, own);
  }
  return found;
}

/** A name as it can stand in code: "get_item" for "get-item". */
export function codeName(name: string): string {
  const [group = "", member, ...rest] = name.split(".");
  if (member && rest.length === 0 && identifier(group) === group) {
    // A keyword may follow a dot.
    return `${group}.${/^\d/.test(member) ? "_" : ""}${lettersOf(member)}`;
  }
  return identifier(name);
}

/** The group in the name of a function: "git" of "git.commit". */
export function groupOf(name: string): string | undefined {
  return /^(.+)\./.exec(name)?.[1];
}

/** The name of a function without its group: "commit" for "git.commit". */
export function memberOf(name: string): string {
  return name.slice(name.indexOf(".") + 1);
}

/** A name that can stand alone. */
export function identifier(name: string): string {
  const letters = lettersOf(name);
  return RESERVED.has(letters) || !/^[A-Za-z_$]/.test(letters) ? `_${letters}` : letters;
}

function lettersOf(name: string): string {
  return name.replaceAll(/[^\w$]/g, "_");
}

/** A name that is not taken: with a number if need be. */
export function freeName(wanted: string, taken: { has: (name: string) => boolean }): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`;
  return name;
}
