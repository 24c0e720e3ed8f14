/** What the package offers to whoever imports it. */
export { compileGraph } from "./graphs/agentGraph.js";
export { DEFAULT_GRAPH, type GraphEntry, type GraphId, graphs } from "./graphs/index.js";
export { registerChatProvider, registerEmbeddingsProvider } from "./models/providers.js";
export { importTools } from "./resources/libraries.js";
export { closeResources, openResources } from "./resources/resources.js";
export { type Context, type ContextInput, contextSchema } from "./state/context.js";
export type { Call, GraphState, Search, Status, Subtask, Usage } from "./state/state.js";
export type { ToolContext, ToolDefinition, ToolRecord } from "./tools/tool.js";
export { TulipgraphError } from "./errors.js";
