import { Command } from "commander";

/** `tulipgraph db`: where the data are. */
export function dbCommand(): Command {
  return new Command("db").description("Where the data are: migrate, compare, copy");
}
