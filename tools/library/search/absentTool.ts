import { LibraryFailed, UnknownName } from "../../../common/errors.js";
import type { LibraryView } from "../library.js";

/** The error for a tool that a library does not have: names those it has, or says why the tool is withheld. */
export function absentTool(
  library: Pick<LibraryView, "name" | "list" | "withheld">,
  wanted: string,
): UnknownName | LibraryFailed {
  const found = library.withheld().find(({ tool }) => tool.id === wanted);
  if (!found) {
    const available = library.list().map(({ id }) => id);
    return new UnknownName({ kind: `tool in library ${library.name}`, wanted, available });
  }
  const { origin, accepted, at, rejected, isUnoffered } = found;
  const name = origin.slice(origin.indexOf(":") + 1);
  if (isUnoffered) {
    const problem = `"${wanted}" is not among the tools that ${name} offers you, or differs from what was accepted`;
    const hint = `Whoever runs ${name} decides what it offers to whom`;
    return new LibraryFailed({ library: library.name, problem, hint });
  }
  const what = accepted ? "has changed" : "is new";
  return new LibraryFailed({
    library: library.name,
    problem: `"${wanted}" ${what} on ${name} since ${at.slice(0, 10)} and is ${rejected ? "rejected" : "not accepted yet"}`,
    hint: `See it with: tulipgraph tools review ${name}`,
  });
}
