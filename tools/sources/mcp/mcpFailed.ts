import { TulipgraphError } from "../../../common/errors.js";

/** An MCP server cannot be reached or used; with what to do about it. */
export class McpFailed extends TulipgraphError {
  readonly code = "MCP_FAILED";

  constructor(
    readonly details: { server: string; problem: string; hint?: string },
    options?: ErrorOptions,
  ) {
    const { server, problem, hint } = details;
    super([`MCP server ${server}: ${problem}`, hint].filter(Boolean).join(". "), options);
  }
}
