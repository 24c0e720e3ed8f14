/**
 * What search costs and finds in existing agents: LangChain's `createAgent` with our middleware, with LangChain's own
 * `llmToolSelectorMiddleware`, and with the design documented by langgraph-bigtool, on the same tasks, tools and
 * embeddings. The model is an oracle behind an endpoint: it makes those gold calls whose tools it is shown. The
 * endpoint counts calls and tokens (o200k_base, of messages, tools and reply formats).
 *
 *   npx tsx eval/experiments/existingAgents.ts --bench ../shared/bench [--limit 60]
 */
import { closeWorkspaces } from "../../workspace/workspace.js";
import { compareAgents } from "./existingAgents/compareAgents.js";
import { inTemporaryFolder } from "../files.js";
import { BENCH, optionsOf, presentSets, write, writeHead, writeRow } from "./scriptSupport.js";

const { bench, limit } = optionsOf({ bench: BENCH, limit: 60 });
const [folder] = presentSets({ bench, sets: "tulip_math" });
if (folder !== undefined) {
  await inTemporaryFolder("agents", async (home) => {
    const { benchmark, tasks, tools, agents } = await compareAgents({ folder, home, limit });
    await closeWorkspaces();
    write(`${benchmark}: ${tasks} tasks, ${tools} tools\n`);
    writeHead([
      "agent",
      "success",
      "model calls",
      "input tokens",
      "output tokens",
      "tokens a task",
    ]);
    for (const { agent, success, modelCalls, inputTokens, outputTokens } of agents) {
      writeRow([
        agent,
        `${(success * 100).toFixed(1)} %`,
        modelCalls.toFixed(2),
        inputTokens.toFixed(0),
        outputTokens.toFixed(0),
        (inputTokens + outputTokens).toFixed(0),
      ]);
    }
  });
}
