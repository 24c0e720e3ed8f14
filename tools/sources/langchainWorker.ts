import { parentPort, workerData } from "node:worker_threads";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { moduleExports } from "../threads/moduleExports.js";
import { printToStandardError, untilPrinted } from "../threads/printing.js";
import { type ListedExport, type Listing, oneLine } from "./langchainList.js";

/** Fields that identify a LangChain tool from any copy of the package. */
interface ToolLike {
  name: string;
  description: string;
  schema: Parameters<typeof toJsonSchema>[0];
  metadata?: Record<string, unknown>;
}

// Entry of a worker thread: imports one module, answers once and waits to be terminated.

if (parentPort === null) throw new Error("langchainWorker.ts is the entry of a worker thread");
const host = parentPort;
const { file } = workerData as { file: string };
printToStandardError();
const listing = await listTools();
await untilPrinted();
host.postMessage(listing, []);

async function listTools(): Promise<Listing> {
  try {
    return { exports: listedTools(await moduleExports(file)) };
  } catch (error) {
    return { failure: oneLine(error) };
  }
}

/** A tool exported twice is listed under its own name, not as the default export. */
function listedTools(exports: Record<string, unknown>): ListedExport[] {
  const entries = Object.entries(exports);
  const named = new Set(entries.flatMap(([key, value]) => (key === "default" ? [] : [value])));
  return entries
    .filter(([exportName, value]) => exportName !== "default" || !named.has(value))
    .flatMap(([exportName, value]) => (isTool(value) ? [listed(exportName, value)] : []));
}

function isTool(value: unknown): value is ToolLike {
  if (typeof value !== "object" || value === null) return false;
  const tool = value as Partial<Record<keyof ToolLike | "invoke", unknown>>;
  return (
    typeof tool.invoke === "function" &&
    typeof tool.name === "string" &&
    typeof tool.description === "string" &&
    tool.schema !== undefined
  );
}

function listed(exportName: string, tool: ToolLike): ListedExport {
  const { name, description } = tool;
  const common = { exportName, name, description, metadata: asJson(tool.metadata ?? {}) };
  try {
    // As input, because in a schema's output properties with defaults are always present.
    return { ...common, schema: asJson(toJsonSchema(tool.schema, { io: "input" })) };
  } catch (error) {
    return { ...common, schemaProblem: `has a schema that JSON cannot express: ${oneLine(error)}` };
  }
}

/** Functions and class instances cannot be sent to the host. */
function asJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
