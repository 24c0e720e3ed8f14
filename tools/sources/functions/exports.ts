import ts from "typescript";
import type { SourceProblem } from "../../tool.js";
import { ownComment } from "./docs.js";
import { type Member, type Report, isToolShaped, membersOf } from "./members.js";
import { pathText } from "../../calls/workers/exportPath.js";
import { problemAtNode } from "../problems.js";
import type { SourceProgram } from "./sourceProgram.js";

/** An exported function, or one in an exported object; it may be declared in another file. */
export interface ExportedFunction {
  /** The path to it in the entry file's exports; `default` for a default export. */
  exportName: string;
  /** Its name in the source; undefined for an unnamed default export. */
  name: string | undefined;
  /** Where to look for its doc comment: at the export, then at the function that it names. */
  declarations: readonly [ts.Node, ...ts.Node[]];
  signature: ts.Signature;
}

/** An exported value in which the source shows no function to make a tool of; `problem` says why. */
export interface OtherExport extends SourceProblem {
  /** Whether it may be or contain LangChain's tools, which exist only once the file has run. */
  mayBeTools?: boolean;
}

/** What a file exports, apart from types and plain data. */
export interface Exports {
  /** In the order of the source. */
  functions: ExportedFunction[];
  others: OtherExport[];
}

/**
 * Finds the functions that the entry exports, its own or those of other files: alone, or as members of objects,
 * namespaces and arrays. A function exported in several ways is found once: under its own name, else as
 * a member, else as the default.
 */
export function readExports(source: SourceProgram): Exports {
  const { checker, entry, files } = source;
  const found: Exports = { functions: [], others: [] };
  const seen = new Set<ts.Node>();
  for (const place of exportedValues({ checker, entry })) {
    const { functions, others } = readPlace(place, source);
    const fresh = functions.filter((each) => !seen.has(declarationOf(each)));
    for (const each of fresh) seen.add(declarationOf(each));
    found.functions.push(...fresh);
    found.others.push(...others);
  }
  return {
    functions: inSourceOrder(found.functions, files),
    others: found.others,
  };
}

/** The values that the entry exports, ordered so that the first name found for a function is the one to use. */
function exportedValues({ checker, entry }: Pick<SourceProgram, "checker" | "entry">): Member[] {
  const module = checker.getSymbolAtLocation(entry);
  if (module === undefined) return [];
  const exported = [...checker.getExportsOfModule(module), ...assignedExports(module, checker)]
    .map((symbol) => ({
      symbol,
      target: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    }))
    .filter(({ symbol, target }) => target.flags & VALUE || symbol.name === "default");
  const named = new Set(
    exported.filter(({ symbol }) => symbol.name !== "default").map(({ target }) => target),
  );
  const places = exported
    .filter(({ symbol, target }) => symbol.name !== "default" || !named.has(target))
    .map(({ symbol, target }): Member => {
      const isDefault = symbol.name === "default";
      const written = checker.getTypeOfSymbol(target);
      const type = checker.getAwaitedType(written) ?? written;
      return {
        steps: [symbol.name],
        name: isDefault ? declaredName(target) : symbol.name,
        symbol: target,
        type: type.flags & UNREADABLE ? type : checker.getNonNullableType(type),
      };
    });
  return places.toSorted((left, right) => rank(left) - rank(right));
}

/** The properties of `module.exports = { … }`, which are the exports of a CommonJS module. */
function assignedExports(module: ts.Symbol, checker: ts.TypeChecker): ts.Symbol[] {
  const assigned = module.exports?.get(ts.InternalSymbolName.ExportEquals);
  if (assigned === undefined) return [];
  return checker.getPropertiesOfType(checker.getTypeOfSymbol(assigned));
}

/** Functions first, then values that contain some, then the default export. */
function rank({ type, steps }: Member): number {
  if (steps[0] === "default") return 2;
  return type.getCallSignatures().length > 0 ? 0 : 1;
}

/** Types have no value, and the members of an enum are data. */
const VALUE = ts.SymbolFlags.Value & ~ts.SymbolFlags.Enum & ~ts.SymbolFlags.EnumMember;

/** The functions of an export, or why it has none. */
function readPlace(place: Member, source: SourceProgram): Exports {
  const { type, steps } = place;
  const others: OtherExport[] = [];
  const report: Report = (problem, mayBeTools) => {
    const node = place.symbol.declarations?.[0] ?? source.entry;
    others.push({ ...problemAtNode(node, steps[0] ?? "", problem), mayBeTools });
  };
  const shown = place.name ?? "default";
  if (isToolShaped(type, source.checker)) {
    report(`"${shown}" looks like a tool, but not of LangChain; ${ADVICE}`, true);
    return { functions: [], others };
  }
  const members = type.getCallSignatures().length > 0 ? [place] : membersOf(place, source, report);
  const functions = members.flatMap((member) => {
    const obstacle = obstacleOf(member.type);
    if (obstacle === undefined) return exportedFunction(member) ?? [];
    report(`function "${member.name ?? "default"}" ${obstacle}`);
    return [];
  });
  if (members.length === 0 && others.length === 0) reportEmpty(place, source, report);
  return { functions, others };
}

const ADVICE = "export functions with a TSDoc comment, or tools of LangChain";

const GENERATOR = /^(?:Async)?(?:Generator|Iterator|IterableIterator|Iterable)$/;

/** Why a function cannot be a tool. */
function obstacleOf(type: ts.Type): string | undefined {
  const signatures = type.getCallSignatures();
  if (signatures.length > 1)
    return `has ${signatures.length} signatures; export a function for each`;
  const returned: ts.Symbol | undefined = signatures[0]?.getReturnType().symbol;
  return returned !== undefined && GENERATOR.test(returned.name)
    ? "is a generator, which yields its results one by one; return them all at once"
    : undefined;
}

const UNREADABLE = ts.TypeFlags.Any | ts.TypeFlags.Unknown;

/** Plain data is not reported: nobody takes it for tools. */
function reportEmpty(
  { type, name: shown = "default" }: Member,
  { checker }: SourceProgram,
  report: Report,
): void {
  if (type.flags & UNREADABLE) {
    const problem = `the type of "${shown}" is not known, so nothing in it can be read; ${ADVICE}`;
    report(problem, true);
    return;
  }
  const hasMethods = checker
    .getPropertiesOfType(type)
    .some((each) => checker.getTypeOfSymbol(each).getCallSignatures().length > 0);
  const isData = checker.isArrayLikeType(type) || !(type.flags & ts.TypeFlags.Object);
  if (isData || !hasMethods || type.getConstructSignatures().length > 0) return;
  report(
    `"${shown}" is ${checker.typeToString(type)}, whose functions are those of a package; export functions of yours that use it`,
    true,
  );
}

function exportedFunction({ type, symbol, steps, name }: Member): ExportedFunction | undefined {
  const [signature] = type.getCallSignatures();
  const own = symbol.declarations ?? [];
  const behind: ts.Node | undefined = signature?.declaration;
  // The comment is above the export, else above the function that the export names.
  const documented = own.some(ownComment) || behind === undefined ? own : [...own, behind];
  const [declaration, ...more] = documented;
  if (signature === undefined || declaration === undefined) return undefined;
  return { exportName: pathText(steps), name, declarations: [declaration, ...more], signature };
}

/** Where its code is, however it is exported. */
function declarationOf({ signature, declarations }: ExportedFunction): ts.Node {
  return signature.declaration ?? declarations[0];
}

/** The checker lists declared functions before constants, and re-exports after both. */
function inSourceOrder(
  functions: readonly ExportedFunction[],
  files: readonly string[],
): ExportedFunction[] {
  const fileOf = (node: ts.Node): number => files.indexOf(node.getSourceFile().fileName);
  return functions.toSorted(
    ({ declarations: [left] }, { declarations: [right] }) =>
      fileOf(left) - fileOf(right) || left.pos - right.pos,
  );
}

function declaredName(target: ts.Symbol): string | undefined {
  if (target.name !== "default") return target.name;
  const names = (target.declarations ?? []).map((node) => ts.getNameOfDeclaration(node));
  return names.find((name) => name !== undefined && ts.isIdentifier(name))?.getText();
}
