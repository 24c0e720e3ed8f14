import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ModelFailed } from "../common/errors.js";

/**
 * Finds an optional package: next to tulipgraph, or else in the folder where the program was started, whose packages a
 * global installation would not see.
 *
 * @param name as in an import, such as "@langchain/cohere"
 * @returns the URL to import; undefined if it is in neither place
 */
export function packageUrl(name: string): string | undefined {
  return (
    found(() => import.meta.resolve(name)) ??
    found(
      () => pathToFileURL(createRequire(join(process.cwd(), "package.json")).resolve(name)).href,
    )
  );
}

/** @throws ModelFailed when it is in neither place */
export function requirePackage(spec: string, name: string): string {
  const url = packageUrl(name);
  if (url !== undefined) return url;
  throw missingPackage({ spec, name });
}

/** The error for a missing package that a model needs, with the command that installs it. */
export function missingPackage(options: {
  spec: string;
  name: string;
  cause?: unknown;
}): ModelFailed {
  const { spec, name, cause } = options;
  return new ModelFailed(
    {
      model: spec,
      problem: `the package ${name} is not installed`,
      hint: `install it with: npm install ${name}`,
    },
    { cause },
  );
}

/** The package that an import did not find; undefined for any other error. */
export function missingIn(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : "";
  const [, name] = /Cannot find (?:package|module) '((?:@[^/']+\/)?[^/']+)/.exec(message) ?? [];
  return name;
}

/** Resolving throws if there is no such folder or package. */
function found(resolve: () => string): string | undefined {
  try {
    return resolve();
  } catch {
    return undefined;
  }
}
