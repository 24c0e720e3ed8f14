/** What the package offers to whoever imports it. */
export { DEFAULT_GRAPH, type GraphId } from "./graphs/index.js";
export { compileGraph, type GraphEntry, graphs } from "./graphs/published.js";
export { registerChatProvider, registerEmbeddingsProvider } from "./models/providers.js";
export { importTools } from "./workspace/libraries.js";
export { closeWorkspaces, openWorkspace } from "./workspace/workspace.js";
export { type Context, type ContextInput, contextSchema } from "./state/context.js";
export type { Call, GraphState, Search, Status, Subtask, Usage } from "./state/state.js";
export type { ToolContext, ToolDefinition, ToolRecord } from "./tools/tool.js";
export { TulipgraphError } from "./common/errors.js";
