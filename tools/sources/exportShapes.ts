import ts from "typescript";
import type { Member } from "./members.js";
import type { SourceProgram } from "./sourceProgram.js";

/** Where kits keep the schema of a tool's arguments, and the function that is called. */
const SCHEMAS = ["inputSchema", "parameters", "schema"];
const CALLS = ["execute", "invoke"];

/** Whether values of this type have the fields of a tool of some kit. */
export function isToolShaped(type: ts.Type, checker: ts.TypeChecker): boolean {
  const has = (name: string): boolean => checker.getPropertyOfType(type, name) !== undefined;
  return SCHEMAS.some(has) && CALLS.some(has);
}

/** The type of the members of an array or a tuple; undefined for anything else. */
export function arrayTypeOf(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  if (!checker.isArrayLikeType(type)) return undefined;
  return checker.getIndexTypeOfType(type, ts.IndexKind.Number);
}

/** How deep objects in objects are followed. */
const DEEPEST = 3;

/** Whether an array, a record or an object has members that look like tools of a kit. */
export function mayHoldTools(
  { type, symbol }: Pick<Member, "type" | "symbol">,
  source: SourceProgram,
  depth = 0,
): boolean {
  const { checker, files } = source;
  const inside = [
    arrayTypeOf(type, checker),
    ...checker.getIndexInfosOfType(type).map((info) => info.type),
  ];
  if (inside.some((each) => each !== undefined && isToolShaped(each, checker))) return true;
  if (depth > DEEPEST || inside.some(Boolean)) return false;
  return checker.getPropertiesOfType(type).some((property) => {
    const own = property.declarations?.some((node) =>
      files.includes(node.getSourceFile().fileName),
    );
    if (!own || property === symbol) return false;
    const member = checker.getNonNullableType(checker.getTypeOfSymbol(property));
    return (
      isToolShaped(member, checker) ||
      mayHoldTools({ type: member, symbol: property }, source, depth + 1)
    );
  });
}

/** What generators return. */
const GENERATORS = [
  "Generator",
  "AsyncGenerator",
  "Iterator",
  "AsyncIterator",
  "IterableIterator",
  "AsyncIterableIterator",
  "AsyncIterable",
];

/** Whether a function yields its results one by one. */
export function isGenerator(type: ts.Type): boolean {
  return type.getCallSignatures().some((signature) => {
    const returned: ts.Symbol | undefined = signature.getReturnType().symbol;
    return returned !== undefined && GENERATORS.includes(returned.name);
  });
}
