import type { Command } from "commander";

/** Options of every command that works with a library. */
export function withLibrary(command: Command): Command {
  return command
    .option("--library <name>", "the library")
    .option("--embeddings <provider:name>", "embedding model of the library")
    .option("--json", "print JSON and nothing else");
}
