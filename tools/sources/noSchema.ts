import type ts from "typescript";

/**
 * A type that JSON cannot carry. Thrown while a schema is written and turned into a problem of the
 * export by whoever asked for the schema.
 */
export class NoSchema extends Error {
  /**
   * @param details.path where the type stands, as `options.size`
   * @param details.advice what is wrong with it or what to use in its place
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
