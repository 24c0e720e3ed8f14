declare global {
  interface ImportMeta {
    /** Whether this code runs from the one file of `cli/start.ts`. */
    isOneFile?: true;
  }
}

const NAME = "NotInFile";

/** Has the command run module by module: what it needs is not in the one file. */
export class NotInFile extends Error {
  override readonly name = NAME;
}

/** Whether it is that, from whichever copy of this module. */
export function isNotInFile(error: unknown): boolean {
  return error instanceof Error && error.name === NAME;
}
