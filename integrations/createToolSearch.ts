import type { MiddlewareOptions, toolSearchMiddleware } from "./middleware.js";
import type { plainTools } from "./plainTools.js";
import type { ToolRetriever } from "./retriever.js";
import type { ToolboxSettings } from "./toolbox.js";

export type { MiddlewareOptions } from "./middleware.js";
export type { ToolboxSettings as ToolSearchSettings } from "./toolbox.js";

/** A library for agents that exist already. */
export interface ToolSearch {
  /**
   * For LangChain's `createAgent`: a tool `find_tools`, and the tools that were found, which stay callable in later
   * turns, after a restart and after an approval. The model is shown them in the order in which they were found, so
   * that its provider's cache of the prompt stays of use.
   */
  middleware: (options?: MiddlewareOptions) => ReturnType<typeof toolSearchMiddleware>;
  /** The tools of a request as documents, the best first. */
  retriever: () => ToolRetriever;
  /** Two LangChain tools that reach all others, `find_tools` and `call_tool`, for any agent. */
  tools: () => ReturnType<typeof plainTools>;
}

/**
 * Opens a library for agents that exist already. Their calls go through the runtime as those of the graphs do: checked,
 * journaled, within time-outs, and never made twice after a crash.
 *
 * @throws UnknownName for a library or a setting that there is not
 * @throws InvalidSetting for a value that a setting does not take
 *
 * @example
 * const search = await createToolSearch({ library: "office" });
 * const agent = createAgent({ model: "openai:gpt-4.1-mini", middleware: [search.middleware()] });
 */
export async function createToolSearch(settings: ToolboxSettings): Promise<ToolSearch> {
  // What agents need of LangChain is loaded with the first search, not with the package.
  const [toolbox, middleware, plain, retriever] = await Promise.all([
    import("./toolbox.js").then(({ openToolbox }) => openToolbox(settings)),
    import("./middleware.js"),
    import("./plainTools.js"),
    import("./retriever.js"),
  ]);
  return {
    middleware: (options) => middleware.toolSearchMiddleware(toolbox, options),
    retriever: () => new retriever.ToolRetriever(toolbox),
    tools: () => plain.plainTools(toolbox),
  };
}
