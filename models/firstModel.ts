import { OFFLINE_MODEL, parseSettings } from "../state/settings.js";
import { embeddingsFacts } from "./embeddings/packagedEmbeddings.js";
import { type HostedFacts, hostedFacts } from "./hosted.js";
import { type SeenServer, isLocalServer, lookForServers } from "./localServers.js";
import { packageUrl } from "./packages.js";

export interface SeenProvider {
  provider: string;
  /** Environment variable of its key; absent if it needs none, or logs in another way. */
  key?: string;
  keySet: boolean;
  package: string;
  installed: boolean;
  /** The command that installs what is missing. */
  install?: string;
  /** The model it would be used with; absent if the user has to name one. */
  model?: string;
}

export interface Choice {
  model: string;
  /** Completes a sentence after "because": "OPENAI_API_KEY is set". */
  why: string;
  /** One line for each key that could be used once its package is installed. */
  offers: string[];
}

interface Survey {
  providers: SeenProvider[];
  servers: SeenServer[];
  chosen: Choice;
  /** The embedding model in use, and the providers of others. */
  embeddings: { used: string; providers: SeenProvider[] };
}

/** Looks for keys, packages and model servers on this machine. Keys themselves are never returned. */
export async function surveyModels(): Promise<Survey> {
  const providers = seenProviders();
  const servers = await lookForServers();
  const chosen = chosenByName() ?? chosenByKey(providers) ?? chosenServer({ providers, servers });
  const embeddings = {
    used: parseSettings({}).embeddings,
    providers: embeddingsFacts().map(seenProvider),
  };
  return { providers, servers, chosen, embeddings };
}

/**
 * The default model of a run: that of the first key whose package is installed, else of a model server on this machine,
 * else the built-in rules. Servers are looked for only if no key can be used.
 */
export async function firstModel(): Promise<Choice> {
  const providers = seenProviders();
  const chosen = chosenByName() ?? chosenByKey(providers);
  return chosen ?? chosenServer({ providers, servers: await lookForServers() });
}

/** Models of the providers whose key is set and whose package is installed; nothing is asked for them. */
export function usableModels(): string[] {
  const usable = seenProviders().filter(({ keySet, installed }) => keySet && installed);
  return usable.flatMap(({ model }) => model ?? []);
}

function seenProviders(): SeenProvider[] {
  return hostedFacts()
    .filter(([provider]) => !isLocalServer(provider))
    .map(seenProvider);
}

function seenProvider([provider, facts]: [string, HostedFacts]): SeenProvider {
  const { key, package: name, usual } = facts;
  const installed = packageUrl(name) !== undefined;
  return {
    provider,
    ...(key === undefined ? {} : { key }),
    keySet: key !== undefined && Boolean(process.env[key]),
    package: name,
    installed,
    ...(installed ? {} : { install: `npm install ${name}` }),
    ...(usual === undefined ? {} : { model: `${provider}:${usual}` }),
  };
}

function chosenByName(): Choice | undefined {
  const model = process.env["TULIPGRAPH_MODEL"];
  return model ? { model, why: "TULIPGRAPH_MODEL names it", offers: [] } : undefined;
}

function chosenByKey(providers: readonly SeenProvider[]): Choice | undefined {
  const usable = providers.find(({ keySet, installed, model }) => keySet && installed && model);
  if (usable?.model === undefined) return undefined;
  return { model: usable.model, why: `${usable.key} is set`, offers: [] };
}

function chosenServer(seen: Pick<Survey, "providers" | "servers">): Choice {
  const offers = offersOf(seen.providers);
  const keys = offers.length > 0 ? "no API key can be used yet" : "no API key is set";
  for (const { server, label, address, models = [] } of seen.servers) {
    const [model] = models;
    if (model === undefined) continue;
    const why = `${label} is running at ${address} and ${keys}`;
    return { model: `${server}:${model}`, why, offers };
  }
  const servers = seen.servers.some(({ lookedFor }) => lookedFor)
    ? "no local model server is running"
    : "no local model server was looked for";
  return { model: OFFLINE_MODEL, why: `${keys} and ${servers}`, offers };
}

/** One offer per key, although two packages may take the same. */
function offersOf(providers: readonly SeenProvider[]): string[] {
  const lacking = providers.filter(({ keySet, installed }) => keySet && !installed);
  return lacking
    .filter(({ key }, at) => lacking.findIndex((each) => each.key === key) === at)
    .map(({ key, install }) => `${key} is set; to use it: ${install}`);
}
