import type ts from "typescript";

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
