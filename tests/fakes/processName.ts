/** The id of a process in letters: a number in an answer would have to come from a tool. */
export function processName(pid: number): string {
  return String(pid).replaceAll(/\d/g, (digit) => String.fromCodePoint(97 + Number(digit)));
}

/** The id of the process of that name. */
export function processOf(name: string): number {
  return Number(name.replaceAll(/[a-j]/g, (letter) => String((letter.codePointAt(0) ?? 0) - 97)));
}
