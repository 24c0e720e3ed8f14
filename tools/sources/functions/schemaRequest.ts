import type ts from "typescript";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";

/**
 * A type that JSON cannot represent. Thrown while a schema is written; callers turn it into a problem of the export.
 */
export class NoSchema extends Error {
  /**
   * @param details.path where the type is, such as `options.size`
   * @param details.advice what is wrong with it, or what to use instead
   */
  constructor({
    type,
    path,
    advice,
    scope,
  }: {
    type: ts.Type;
    path: string;
    advice: string;
    scope: { checker: ts.TypeChecker };
  }) {
    super(
      `"${path}" is of type ${scope.checker.typeToString(type)}, which has no JSON Schema; ${advice}`,
    );
  }
}

/** Where types are looked up. */
export interface TypeSource {
  program: ts.Program;
  checker: ts.TypeChecker;
}

/** The state of writing one JSON Schema document. */
export interface SchemaScope extends TypeSource {
  /** Writes a type; those of elements, properties and members are written with it. */
  schemaOf: (request: SchemaRequest) => JsonSchema;
  /** The text of a `@param` tag for a path; it takes precedence over the property's comment. */
  textOf: (path: string) => string | undefined;
  /** Recursive types of the document, for its `$defs`. */
  defs: Record<string, JsonSchema>;
  /** Names of recursive types in `defs`. */
  names: Map<ts.Type, string>;
  /** Named types currently being written. */
  open: Set<ts.Type>;
  depth: number;
  /** How many types have been written so far. */
  written: number;
}

/** A type to write as a schema. */
export interface SchemaRequest {
  type: ts.Type;
  /** The type's source text if known, to order unions. */
  node?: ts.TypeNode;
  /** Where the type is, for messages, such as `options.size`. */
  path: string;
  scope: SchemaScope;
}
