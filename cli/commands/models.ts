import { Command } from "commander";
import { OFFLINE_MODEL } from "../../state/settings.js";
import { type SeenProvider, type Survey, surveyModels } from "../../models/firstModel.js";
import type { SeenServer } from "../../models/localServers.js";
import { examples } from "../helpExamples.js";
import { printJson, printTable } from "../printing/print.js";

/** `tulipgraph models` */
export function modelsCommand(): Command {
  return new Command("models")
    .description(
      "List the available models: which keys are set, which packages are installed, which servers on this machine answer, and what solve would use",
    )
    .option("--json", "print JSON and nothing else")
    .addHelpText("after", examples(["tulipgraph models", "tulipgraph models --json"]))
    .action(async ({ json }: { json?: boolean }) => {
      const survey = await surveyModels();
      if (json) printJson({ ...survey, rules: OFFLINE_MODEL });
      else printSurvey(survey);
    });
}

function printSurvey({ providers, servers, chosen }: Survey): void {
  printTable({
    rows: [
      ...providers.map(providerRow),
      ...servers.map(serverRow),
      [OFFLINE_MODEL, "always there", "built-in rules, not a language model"],
    ],
  });
  process.stdout.write(`\nsolve takes ${chosen.model}, for ${chosen.why}\n`);
  for (const offer of chosen.offers) process.stdout.write(`${offer}\n`);
}

function providerRow({ provider, key, keySet, install, model }: SeenProvider): string[] {
  const found = key === undefined ? "identifies itself" : `${key} ${keySet ? "set" : "not set"}`;
  const missing = install === undefined ? [] : [install];
  return [provider, found, [model, ...missing].filter(Boolean).join(" · ")];
}

function serverRow({ server, label, address, lookedFor, models }: SeenServer): string[] {
  const found = models ? "answers" : lookedFor ? "does not answer" : "not looked for";
  return [server, found, [`${label} at ${address}`, models?.join(", ")].filter(Boolean).join(": ")];
}
