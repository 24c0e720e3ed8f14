import { TulipgraphError, explained } from "../common/errors.js";

/** A SQLite file or a database that cannot be opened, read or migrated. */
export class StorageFailed extends TulipgraphError {
  readonly code = "STORAGE_FAILED";

  constructor(
    readonly details: { file: string; problem: string; hint?: string },
    options?: ErrorOptions,
  ) {
    super(explained(details.file, details), options);
  }
}
