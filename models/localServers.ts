/** Programs that serve models on the user's machine, each at its usual address; all speak OpenAI's protocol. */
export const LOCAL_SERVERS = {
  ollama: { label: "Ollama", usual: "http://127.0.0.1:11434", variable: "OLLAMA_BASE_URL" },
  lmstudio: { label: "LM Studio", usual: "http://127.0.0.1:1234", variable: "LMSTUDIO_BASE_URL" },
  llamacpp: { label: "llama.cpp", usual: "http://127.0.0.1:8080", variable: "LLAMACPP_BASE_URL" },
  vllm: { label: "vLLM", usual: "http://127.0.0.1:8000", variable: "VLLM_BASE_URL" },
} as const;

/** Name of such a server as a provider: "ollama" in "ollama:qwen3". */
export type LocalServer = keyof typeof LOCAL_SERVERS;

export function isLocalServer(name: string): name is LocalServer {
  return Object.hasOwn(LOCAL_SERVERS, name);
}

/** A server's address, without the path of a protocol. */
export function addressOf(server: LocalServer): string {
  const { usual, variable } = LOCAL_SERVERS[server];
  return (process.env[variable] || usual).replace(/\/+$/, "").replace(/\/v1$/, "");
}

export function openAiAddress(server: LocalServer): string {
  return `${addressOf(server)}/v1`;
}

export interface SeenServer {
  server: LocalServer;
  label: string;
  address: string;
  /** False if looking is switched off. */
  lookedFor: boolean;
  /** Its chat models, in its own order; undefined if it does not answer. */
  models?: string[];
}

/** A server on the same machine answers in a few milliseconds. */
const PATIENCE_MS = 1000;

/** Bounds the list of models, because other programs may listen on the same ports. */
const MOST_CHARACTERS = 1_000_000;

/**
 * Asks all servers at once for their models. Only for commands: nothing else probes the machine.
 *
 * @returns `lookedFor: false` if TULIPGRAPH_LOCAL_MODELS is "off", and in CI, where runs should be alike
 */
export async function lookForServers(): Promise<SeenServer[]> {
  const names = Object.keys(LOCAL_SERVERS).filter(isLocalServer);
  const isOff = process.env["TULIPGRAPH_LOCAL_MODELS"] === "off" || Boolean(process.env["CI"]);
  return await Promise.all(
    names.map(async (server) => {
      const models = isOff ? undefined : await modelsAt(openAiAddress(server));
      const { label } = LOCAL_SERVERS[server];
      const seen = { server, label, address: addressOf(server), lookedFor: !isOff };
      return models ? { ...seen, models } : seen;
    }),
  );
}

/** The chat models at an address; undefined if whatever is there does not answer like a model server. */
async function modelsAt(address: string): Promise<string[] | undefined> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`${address}/models`, { signal, redirect: "error" });
    if (!response.ok) return undefined;
    return chatModels(JSON.parse(await shortText(response)));
  } catch {
    return undefined;
  }
}

async function shortText({ body }: Response): Promise<string> {
  if (body === null) return "";
  let text = "";
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    if (text.length > MOST_CHARACTERS) throw new Error("too long for a list of models");
  }
  return text;
}

/** Models for embedding, reranking and speech do not chat. */
const NO_CHAT = /embed|rerank|whisper|\btts\b|^bge-|minilm/i;

function chatModels(listed: unknown): string[] | undefined {
  const data: unknown = Object(listed).data;
  if (!Array.isArray(data)) return undefined;
  const ids = data.map((model: unknown): unknown => Object(model).id);
  return ids.filter((id): id is string => typeof id === "string" && !NO_CHAT.test(id));
}
