import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ModelFailed } from "../common/errors.js";

/**
 * Where a package that tulipgraph does not bring along is installed: beside tulipgraph, else where the program was
 * started, whose packages one that is installed for all projects would not see.
 *
 * @param name as an import names it, such as "@langchain/cohere"
 * @returns the URL to import; undefined where it is in neither place
 */
export function packageUrl(name: string): string | undefined {
  return (
    found(() => import.meta.resolve(name)) ??
    found(
      () => pathToFileURL(createRequire(join(process.cwd(), "package.json")).resolve(name)).href,
    )
  );
}

/** The error for a package that a model needs, with the command that installs it. */
export function missingPackage(options: {
  spec: string;
  name: string;
  /** What is installed, where the package alone does not do. */
  install?: string;
  cause?: unknown;
}): ModelFailed {
  const { spec, name, install = `npm install ${name}`, cause } = options;
  return new ModelFailed(
    {
      model: spec,
      problem: `the package ${name} is not installed`,
      hint: `install it with: ${install}`,
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

/** Resolving throws whatever is wrong: no such folder, or nothing in it under this name. */
function found(resolve: () => string): string | undefined {
  try {
    return resolve();
  } catch {
    return undefined;
  }
}
