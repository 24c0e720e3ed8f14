import type { MiddlewareOptions, toolSearchMiddleware } from "./middleware.js";
import type { plainTools } from "./plainTools.js";
import type { ToolboxSettings } from "./toolbox.js";

export type { MiddlewareOptions } from "./middleware.js";
export type { ToolboxSettings as ToolSearchSettings } from "./toolbox.js";

/** A library for existing agents. */
export interface ToolSearch {
  /**
   * For LangChain's `createAgent`: a tool `find_tools`, and the tools found with it, which stay callable in later
   * turns, after a restart and after an approval. The list of tools that the model is sent never changes, so the
   * provider's prompt cache stays useful.
   */
  middleware: (options?: MiddlewareOptions) => ReturnType<typeof toolSearchMiddleware>;
  /** Two LangChain tools for any agent, `find_tools` and `call_tool`, which give access to all others. */
  tools: () => ReturnType<typeof plainTools>;
}

/**
 * Opens a library for existing agents. Their calls go through the same runtime as those of the graphs: checked,
 * journaled, with time-outs, and never made twice after a crash.
 *
 * @throws UnknownName for a library or a setting that does not exist
 * @throws InvalidSetting for a value that a setting does not accept
 *
 * @example
 * const search = await createToolSearch({ library: "office" });
 * const agent = createAgent({ model: "openai:gpt-4.1-mini", middleware: [search.middleware()] });
 */
export async function createToolSearch(settings: ToolboxSettings): Promise<ToolSearch> {
  // The parts of LangChain that agents need are loaded here, not with the package.
  const [toolbox, middleware, plain] = await Promise.all([
    import("./toolbox.js").then(({ openToolbox }) => openToolbox(settings)),
    import("./middleware.js"),
    import("./plainTools.js"),
  ]);
  return {
    middleware: (options) => middleware.toolSearchMiddleware(toolbox, options),
    tools: () => plain.plainTools(toolbox),
  };
}
