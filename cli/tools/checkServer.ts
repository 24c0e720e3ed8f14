import { existsSync } from "node:fs";
import { InvalidSetting } from "../../common/errors.js";
import { estimateTokens } from "../../common/tokens.js";
import { inTemporaryFolder } from "../../eval/files.js";
import { writeWhole } from "../../storage/files.js";
import { catalogTools } from "../../eval/benchmarks/shipped.js";
import { markup } from "../../eval/report/markup.js";
import { syncConnected } from "../../home/connectedSources.js";
import { inHome } from "../../home/home.js";
import { openWorkspace } from "../../home/workspace.js";
import { chatDollars, priceOf } from "../../models/prices.js";
import { parseSettings } from "../../state/settings.js";
import { CATALOGS } from "../../tools/catalogs/index.js";
import type { Finding, Severity } from "../../tools/library/checks/finding.js";
import { type Reach, reachOf, serverFindings } from "../../tools/library/checks/serverFindings.js";
import { RECORDED_ORIGIN } from "../../tools/library/records/edits.js";
import { readServer } from "../../tools/sources/mcp/listing.js";
import { readOrigin } from "../../tools/sources/origins.js";
import type { SourceProblem, ToolDefinition } from "../../tools/tool.js";
import { EXIT } from "../exit.js";
import { whileWorking } from "../printing/longWork.js";
import { printHanging, printJson, shareText } from "../printing/print.js";
import { type Diagnosis, diagnose, printDiagnosis } from "./doctor.js";
import { storedLibrary } from "./openLibrary.js";

export interface CheckOptions {
  url?: string;
  beside?: string[];
  level: Severity;
  junit?: string;
  badge?: string;
  json?: boolean;
}

const SERVER = "server";

/** Prompts are priced as those of this model. */
const PRICED = "openai:gpt-4.1-mini";

/**
 * `check`: lists the tools of a server, examines them beside others, and prints one page.
 *
 * @returns the exit code: 1 for findings of the given level or worse
 */
export async function checkServer(
  words: readonly string[],
  options: CheckOptions,
): Promise<number> {
  const { url, level, json, junit, badge } = options;
  if (words.length > 0 === (url !== undefined)) {
    throw new InvalidSetting({
      setting: "check",
      problem: url ? "a command and --url are given" : "nothing says how to reach the server",
      hint: "Write: tulipgraph check -- node server.mjs, or: tulipgraph check --url URL",
    });
  }
  const others = await toolsBeside(options.beside);
  return await inTemporaryFolder("check", (folder) =>
    inHome(folder, async () => {
      const { problems, settings, beside } = await serverBesideOthers(words, url, others);
      let reach: Reach | undefined;
      const diagnosis = await diagnose(
        settings,
        { level },
        {
          only: ({ source }) => source.kind === "mcp",
          findings: async (tools, find) => {
            reach = await reachOf({ tools, find, countTokens: estimateTokens });
            return [...serverFindings(tools), ...problems.map(refused)];
          },
        },
      );
      const page = { ...diagnosis, library: words.join(" ") || (url ?? ""), beside, reach };
      if (json) printJson(page);
      else await printPage(page);
      if (junit !== undefined) writeWhole(junit, junitOf(page));
      if (badge !== undefined) writeWhole(badge, badgeOf(page));
      await openWorkspace().close();
      return diagnosis.findings.length > 0 ? EXIT.notSolved : EXIT.done;
    }),
  );
}

/** A library of the server's tools and of those that it stands beside. */
async function serverBesideOthers(
  words: readonly string[],
  url: string | undefined,
  others: readonly ToolDefinition[],
) {
  const settings = parseSettings({ library: "check" });
  const { store, connections } = openWorkspace();
  const [command = "", ...args] = words;
  const place = url ? { url, headers: {} } : { command, args, env: {}, cwd: process.cwd() };
  const { source, listing } = await whileWorking("reading the tools of the server", async () =>
    readServer({ name: SERVER, settings: place, connections: await connections() }),
  );
  await syncConnected({ store, settings, source, listing, embed: false });
  const library = await openWorkspace().library(settings);
  // A server that is among the others does not stand beside itself.
  const own = new Set(library.list().map(textOf));
  const beside = others.filter((tool) => !own.has(textOf(tool)));
  await library.sync({ origin: RECORDED_ORIGIN, fingerprint: "", tools: beside });
  return { settings, beside: beside.length, problems: listing.problems };
}

/** Tools of libraries and files; else of the catalogs. Nobody calls them. */
async function toolsBeside(places: readonly string[] = []): Promise<ToolDefinition[]> {
  const read = places.map(async (place) =>
    existsSync(place)
      ? (await readOrigin("check", place)).tools
      : (await storedLibrary(place)).list(),
  );
  const all = await Promise.all(places.length > 0 ? read : Object.keys(CATALOGS).map(catalogTools));
  const byId = new Map(all.flat().map((tool) => [tool.id, tool]));
  const source = { kind: "declared", file: RECORDED_ORIGIN } as const;
  return [...byId.values()].map((tool) => ({ ...tool, source }));
}

const textOf = ({ name, description }: ToolDefinition) => `${name}\n${description}`;

function refused({ exportName, problem }: SourceProblem): Finding {
  return {
    check: "refused",
    severity: "error",
    tools: [exportName],
    problem,
    change: "Write its schema as JSON Schema with an object at the top",
  };
}

type Page = Diagnosis & { beside: number; reach: Reach | undefined };

async function printPage(page: Page): Promise<void> {
  printDiagnosis(page, "server");
  const { reach, beside } = page;
  if (!reach || reach.phrases === 0) return;
  const { phrases, first, amongFive, unreached, tokens } = reach;
  const price = await priceOf(PRICED);
  const dollars = price ? chatDollars(price, { inputTokens: tokens * 1000 }).toFixed(2) : "?";
  process.stdout.write("\n");
  const found = `${shareText(amongFive / phrases)} among five, ${shareText(first / phrases)} first`;
  printHanging({ text: `reach: ${phrases} paraphrases, beside ${beside} other tools: ${found}` });
  if (unreached.length > 0) printHanging({ text: `never among five: ${unreached.join(", ")}` });
  printHanging({
    text: `cost: shown whole, ${tokens} tokens in each prompt, $${dollars} for 1,000 prompts of ${PRICED}`,
  });
}

function junitOf({ library, findings }: Page): string {
  const cases = findings.map(({ tools, check, severity, problem, change }) => {
    const failure = markup`<failure message="${severity}: ${problem}">${change}</failure>`;
    return markup`<testcase classname="${check}" name="${tools.join(", ")}">${failure}</testcase>\n`;
  });
  const all = cases.length > 0 ? cases : [markup`<testcase classname="check" name="tools"/>\n`];
  const suite = markup`<testsuite name="${library}" tests="${all.length}" failures="${cases.length}">\n${all}</testsuite>\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${String(suite)}`;
}

/** The outcome as a picture for a README. */
function badgeOf({ findings, reach }: Page): string {
  const share =
    reach && reach.phrases > 0 ? Math.round((100 * reach.amongFive) / reach.phrases) : 0;
  const text = findings.length > 0 ? `${findings.length} to mend` : `${share} % found`;
  const colour = findings.length > 0 ? "#b45309" : "#15803d";
  const width = 52 + text.length * 7;
  return String(markup`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="tools: ${text}"><rect width="${width}" height="20" rx="3" fill="#444"/><rect x="42" width="${width - 42}" height="20" rx="3" fill="${colour}"/><g fill="#fff" font-family="Verdana,sans-serif" font-size="11"><text x="6" y="14">tools</text><text x="48" y="14">${text}</text></g></svg>
`);
}
