import { Command } from "commander";

/** `tulipgraph keys`: who may use the server. */
export function keysCommand(): Command {
  return new Command("keys").description("Keys of the server: create, list, revoke");
}
