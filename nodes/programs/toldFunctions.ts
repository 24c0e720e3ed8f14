import { groupOf, memberOf } from "../../common/codeNames.js";
import { inBrief } from "../../common/errors.js";
import { estimateTokens } from "../../common/tokens.js";
import type { ToolRecord } from "../../tools/tool.js";
import type { OfferedTool } from "../kit/stageInputs.js";
import type { NamedTools } from "../policy/modelView.js";
import type { Contents } from "./contents.js";
import {
  argumentNames,
  type Declared,
  declarationOf,
  declarations,
  fewArguments,
  linesByGroup,
  withoutSections,
  withoutShared,
} from "./functionDeclarations.js";

/**
 * What a prompt tells of the likeliest functions, by what the contents tell: most tokens for declarations in full, of how many
 * functions, most functions with a few words on what they do, and most tokens for those with the names of their arguments.
 */
const MOST_TOLD = {
  signatures: { declared: 120, functions: 2, described: 0, signed: 0 },
  names: { declared: 250, functions: 10, described: 6, signed: 500 },
  groups: { declared: 120, functions: 10, described: 0, signed: 320 },
};

/** About as many tokens are told besides contents. */
export function tokensBesides(tells: Contents["tells"]): number {
  const { declared, described, signed } = MOST_TOLD[tells];
  return declared + (described + 1) * TOKENS_OF_LINE + signed;
}

const TOKENS_OF_LINE = 30;

/** Most tokens for declarations if a program is to be mended, which may have taken wrong arguments. */
const MOST_DECLARED_AGAIN = 400;

/** Most functions that are named again, as those of the contents that are likely. */
const MOST_NAMED = 3;

/** Most characters of what a function does. */
const BRIEFLY = 60;

/** A function of a group comes this many places later for each of the group before it. */
const APART = 2;

/** Functions of which contents tell some. */
interface Choice {
  /** Their names, by group. */
  members: readonly (readonly string[])[];
  /** How often they were called, by name. */
  uses: ReadonlyMap<string, number>;
  toolsOf: (names: readonly string[]) => NamedTools;
}

/**
 * Functions as long as they are wanted: those that were called, the most called first, then one of each group in turn, the
 * groups that were called most and the largest of them first, because each may be the one that serves.
 */
export function* inTurns({ members, uses, toolsOf }: Choice): Generator<[string, ToolRecord]> {
  const useOf = (name: string) => uses.get(name) ?? 0;
  const used = members.flat().filter((name) => useOf(name) > 0);
  yield* toolsOf(used.toSorted((one, other) => useOf(other) - useOf(one)));
  const groups = members
    .map((names) => ({ names, use: names.reduce((sum, name) => sum + useOf(name), 0) }))
    .toSorted((one, other) => other.use - one.use || other.names.length - one.names.length);
  const longest = Math.max(0, ...members.map(({ length }) => length));
  for (let rank = 0; rank < longest; rank += 1)
    yield* toolsOf(groups.flatMap(({ names }) => names[rank] ?? []));
}

/**
 * The arguments of functions that fit into a number of tokens, until one does not.
 *
 * @param isNamed the prompt names the functions anyway
 */
export function fittingArguments(
  functions: Iterable<readonly [string, Pick<OfferedTool, "parameters">]>,
  tokens: number,
  isNamed: boolean,
): Map<string, string> {
  const fitting = new Map<string, string>();
  const heads = new Set<string>();
  let left = tokens * 4;
  for (const [name, tool] of functions) {
    if (fitting.has(name)) continue;
    const told = argumentNames(tool);
    const group = groupOf(name) ?? "";
    // The group's name stands once; a line costs a few signs more.
    const head = heads.has(group) ? 0 : group.length + 4;
    left -= told.length + (isNamed ? 0 : memberOf(name).length + 1 + head);
    if (left < 0) break;
    heads.add(group);
    fitting.set(name, told);
  }
  return fitting;
}

/**
 * The functions that a request may need, besides the contents: the likeliest in full, the next with what contents do not
 * tell of them, and the names of those whose arguments these tell.
 *
 * @param all the likeliest first, by the names that programs use
 * @param options.unlikely those of them that are only told in few words, and have no place for the sake of their group
 * @param options.others the next likely ones
 * @param options.isAgain the program is to be mended
 * @param options.before what the prompt says before, of which nothing is repeated
 */
export function likelyText(
  all: readonly OfferedTool[],
  { tells, some = new Set() }: Pick<Contents, "tells" | "some">,
  options: {
    unlikely?: ReadonlySet<string>;
    others?: ReadonlyMap<string, Pick<OfferedTool, "parameters">>;
    isAgain?: boolean;
    before?: string;
  } = {},
): string {
  const { unlikely = new Set(), others = new Map<string, never>() } = options;
  const { isAgain = false, before = "" } = options;
  const most = MOST_TOLD[tells];
  const isTold = (name: string) => tells === "signatures" || some.has(name);
  const found = withoutShared(all).map((tool) => [tool.name, tool] as const);
  const isLikely = ([name]: readonly [string, unknown]) => !unlikely.has(name);
  const likely = spread(found.filter(isLikely));
  const tools = [...likely, ...found.filter((one) => !isLikely(one))];
  // The likeliest is told again in any case: what is not declared where others are is passed over for them.
  const wanted = likely.filter(
    ([name, tool], at) => at === 0 || isAgain || !isTold(name) || !isPlain(tool),
  );
  const texts = wanted.map(([, tool]) => declarationOf(tool));
  const isSaid = ({ text }: Declared) => before.includes(text.slice(text.indexOf("function ")));
  const unsaid = texts.filter((one) => !isSaid(one));
  const declared = isAgain
    ? inFull(unsaid, MOST_DECLARED_AGAIN)
    : inFull(unsaid.slice(0, most.functions), most.declared);
  const inFullNames = new Set([...declared, ...texts.filter(isSaid)].map(({ name }) => name));
  const isInLine = ([name, tool]: readonly [string, OfferedTool]) =>
    before.includes(` ${memberOf(name)}${argumentNames(tool)}`);
  const untold = tools.filter(
    (one) => !inFullNames.has(one[0]) && !isTold(one[0]) && !isInLine(one),
  );
  const described = untold.slice(0, most.described);
  const next = [...untold.slice(most.described), ...others].filter(([name]) => !isTold(name));
  const signed = fittingArguments(spread(next), most.signed, false);
  const named = likely.filter(([name]) => isTold(name) && !inFullNames.has(name));
  const names = named.slice(0, MOST_NAMED).map(([name]) => name);
  const told = [
    declarations(declared),
    ...described.map(([, tool]) => callText(tool)),
    linesByGroup(signed),
  ].filter(Boolean);
  return told.length > 0 || names.length > 0 ? [foundText(names), ...told].join("\n") : "";
}

/** Names stand in the sentence: small models take those in a line of their own for what was found, not what is declared. */
function foundText(names: readonly string[]): string {
  const some = names.length > 0 ? ` (${names.join(", ")}, …)` : "";
  return `A search found these; use what fits, or any function above${some}, with await:`;
}

function spread<Named extends readonly [string, unknown]>(functions: readonly Named[]): Named[] {
  return spreadOver(functions, ([name]) => name);
}

/** The likeliest first, but so that those of one group do not crowd out those of others. */
export function spreadOver<One>(all: readonly One[], functionName: (one: One) => string): One[] {
  const counts = new Map<string, number>();
  return all
    .map((one, rank) => {
      const name = functionName(one);
      const group = groupOf(name) ?? name;
      const before = counts.get(group) ?? 0;
      counts.set(group, before + 1);
      return { one, place: rank + before * APART };
    })
    .toSorted((first, second) => first.place - second.place)
    .map(({ one }) => one);
}

/** Whether the names of its arguments tell nearly all of a function: simple values, all named, and no result that is known. */
function isPlain(tool: OfferedTool): boolean {
  const { parameters, returns, seen } = tool;
  const { properties = {} } = parameters;
  const named = fewArguments(tool);
  const isAll = named.length === Object.keys(properties as object).length;
  return isAll && !returns && !seen && named.every(({ type }) => SIMPLE.test(type));
}

const SIMPLE = /^(?:string|number|boolean)(?:\[\])?$/;

/** The likeliest of them that fit, the first of all in any case. */
function inFull(all: readonly Declared[], most: number) {
  let tokens = 0;
  return all.filter(({ text }, at) => {
    const more = estimateTokens(text);
    if (at > 0 && tokens + more > most) return false;
    tokens += more;
    return true;
  });
}

/**
 * `git.log({ repo_path, max_count? }); // Shows the commit logs`, as a program calls it: a small model writes what it sees,
 * and takes another function without the description.
 */
function callText(tool: OfferedTool): string {
  const names = fewArguments(tool).map(({ key, mark }) => key + mark);
  const call = `${tool.name}(${names.length > 0 ? `{ ${names.join(", ")} }` : ""});`;
  const said = inBrief(withoutSections(tool.description), BRIEFLY);
  return call + (said && ` // ${said}`);
}
