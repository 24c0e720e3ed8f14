import type { CommandForm } from "../command.js";
import { type SeenProvider, surveyModels } from "../../models/firstModel.js";
import type { SeenServer } from "../../models/localServers.js";
import { LOCAL_EMBEDDINGS, OFFLINE_MODEL } from "../../state/settings.js";
import { printHanging, printJson, printTable, printLine } from "../printing/print.js";

const SETTING_UP =
  "To use a provider, put its key into the environment or into .env and install the package that its line names; or start a local server. Name another model with --model PROVIDER:NAME or TULIPGRAPH_MODEL, and other embeddings with TULIPGRAPH_EMBEDDINGS.";

/** `tulipgraph models` */
export const MODELS: CommandForm = {
  about: "Show which model solve uses and why, what is set up, and how to set up another model",
  examples: ["tulipgraph models", "tulipgraph models --json"],
  run: async ({ json }: { json?: boolean }) => {
    const { providers, servers, chosen, embeddings } = await surveyModels();
    if (json) return printJson({ chosen, providers, servers, embeddings, rules: OFFLINE_MODEL });
    for (const text of [`solve uses ${chosen.model}, because ${chosen.why}`, ...chosen.offers])
      printHanging({ text });
    printLine("\nChat models");
    const rules = [OFFLINE_MODEL, "ready", "built-in rules, not a language model"];
    printTable({ rows: [rules, ...servers.map(serverRow), ...providers.map(providerRow)] });
    printLine(`\nEmbeddings: ${embeddings.used}`);
    const own = [LOCAL_EMBEDDINGS, "ready", "comes with tulipgraph; English"];
    printTable({ rows: [own, ...embeddings.providers.map(providerRow)] });
    printHanging({ text: `\n${SETTING_UP}` });
  },
};

function providerRow({ provider, key, keySet, install, model }: SeenProvider): string[] {
  const state = key === undefined ? "takes no key" : `${key} ${keySet ? "is set" : "is not set"}`;
  return [provider, state, [model, install].filter(Boolean).join(" · ")];
}

function serverRow({ server, label, address, lookedFor, models }: SeenServer): string[] {
  const state = models ? "is running" : lookedFor ? "is not running" : "was not looked for";
  return [server, state, [`${label} at ${address}`, models?.join(", ")].filter(Boolean).join(": ")];
}
