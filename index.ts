/** The package's public API. Stages are imported one by one: `tulipgraph/nodes/finding/search.js`. */
export { DEFAULT_GRAPH, type GraphId } from "./graphs/index.js";
export { compileGraph, type GraphEntry, graphs } from "./graphs/published.js";
export { type Condition, type Next, type Row, type Wiring, wire } from "./graphs/wire.js";
export * as conditions from "./graphs/conditions.js";
export { type Question, askFor, formQuestion, promptOf } from "./nodes/kit/question.js";
export { type ReplyForm, replyForm } from "./nodes/kit/replyForm.js";
export { type Line, type Stage, type StageFacts, askingStage, stage } from "./nodes/kit/stage.js";
export {
  type EmbeddingsProvider,
  type ProvidedEmbeddings,
  registerChatProvider,
  registerEmbeddingsProvider,
} from "./models/providers.js";
export {
  type MiddlewareOptions,
  type ToolSearch,
  type ToolSearchSettings,
  createToolSearch,
} from "./agents/createToolSearch.js";
export { LONG_WORK, type LongWork } from "./common/longWork.js";
export { importTools } from "./home/libraries.js";
export { type Workspace, closeWorkspaces, openWorkspace } from "./home/workspace.js";
export {
  type Settings,
  type SettingsInput,
  settingsSchema,
  readSettings,
} from "./state/settings.js";
export type {
  Call,
  GraphState,
  Search,
  StateUpdate,
  Status,
  Subtask,
  Usage,
} from "./state/state.js";
export type { ToolContext, ToolDefinition, ToolRecord } from "./tools/tool.js";
export { type TracedRun, RunTrace } from "./server/telemetry/runTrace.js";
export { RESULT_WORDS, type ResultWords } from "./plans/grounding/words.js";
export { TulipgraphError } from "./common/errors.js";
