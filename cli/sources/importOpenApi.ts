import { basename, extname, resolve } from "node:path";
import { InvalidSetting } from "../../common/errors.js";
import { holdsSecret } from "../../common/secrets.js";
import { SOURCE_NAME } from "../../tools/remote.js";
import { listOpenApi } from "../../tools/sources/openapi/listOpenApi.js";
import { isAddress } from "../../tools/sources/openapi/readDocument.js";
import {
  type OpenApiSettings,
  openApiSettings,
  readAuth,
} from "../../tools/sources/openapi/settings.js";
import { EXIT } from "../exit.js";
import { type ConnectedOptions, importConnected } from "./importConnected.js";
import { knownSource, offerEncoder, ownLibrary, printConnected, takenFrom } from "./importFile.js";
import { whileWorking } from "../printing/longWork.js";
import { printJson } from "../printing/print.js";

export interface OpenApiImportOptions extends ConnectedOptions {
  base?: string;
  only?: string[];
  /** True when `--no-deprecated` is not given. */
  deprecated?: boolean;
  auth?: string[];
}

/** `tools import openapi`. When a known source is imported again, options that are left out keep their values. */
export async function importOpenApi(request: {
  document: string;
  name: string | undefined;
  options: OpenApiImportOptions;
}): Promise<number> {
  const { options } = request;
  const name = sourceName(request);
  requireNoSecret("document", request.document);
  requireNoSecret("--base", options.base ?? "");
  const library = options.library ?? ownLibrary(name, `source ${name}`);
  const before = await knownSource(name, "openapi");
  const known = before && openApiSettings(name, before.settings);
  const document = isAddress(request.document) ? request.document : resolve(request.document);
  const place = {
    document,
    base: baseOf(options) ?? known?.base,
    only: options.only ?? known?.only,
    ...(options.deprecated === false || known?.deprecated === false ? { deprecated: false } : {}),
  };
  const listing = await whileWorking(`reading ${request.document}`, () =>
    listOpenApi({ name, ...place }),
  );
  const auth = options.auth ? readAuth(options.auth, listing.schemes) : (known?.auth ?? {});
  const { credentials, issuer, audience } = known ?? {};
  const taken = takenFrom(options.credentials) ?? { credentials, issuer, audience };
  const places = [...new Set(listing.servers.map((server) => new URL(server).origin))];
  const settings: OpenApiSettings = { ...place, auth, ...taken, places };
  const source = { name, kind: "openapi" as const, settings: { ...settings } };
  const done = await importConnected({ source, listing, library, options });
  if (options.json) printJson({ ...done, servers: listing.servers });
  else {
    printConnected({ ...done, notes: notesOf(listing, auth) });
    offerEncoder();
  }
  return EXIT.done;
}

/** The settings of a source are stored and shown. */
function requireNoSecret(setting: string, address: string): void {
  if (!holdsSecret(address)) return;
  throw new InvalidSetting({
    setting,
    problem: "its address holds a key or a password, which would be stored",
    hint: "Download the document and import the file; credentials for calls go into --auth",
  });
}

/** Where calls go, and what is still missing for them. */
function notesOf(
  { servers, schemes, tools }: Awaited<ReturnType<typeof listOpenApi>>,
  auth: OpenApiSettings["auth"],
): string[] {
  const wanted = new Set(
    tools.flatMap(({ source }) =>
      source.kind === "openapi" ? (source.operation.security ?? []).flat() : [],
    ),
  );
  const lacking = [...wanted].filter((scheme) => !Object.hasOwn(auth, scheme));
  const hasOne = Object.keys(auth).length > 0;
  return [
    `calls go to ${servers.join(", ")}`,
    lacking.length > 0 && !hasOne
      ? `its operations want credentials: import it again with ${lacking
          .filter((scheme) => Object.hasOwn(schemes, scheme))
          .map((scheme) => `--auth '${scheme}=$VARIABLE'`)
          .join(" or ")}`
      : "",
  ].filter(Boolean);
}

/** Ids of tools begin with the name of their source and a dot, so the name cannot contain one. */
function sourceName({ document, name }: { document: string; name: string | undefined }): string {
  const host =
    isAddress(document) && URL.canParse(document) ? new URL(document).hostname : undefined;
  const own = host ?? basename(document, extname(document));
  const chosen = name ?? own.replaceAll(/[^A-Za-z0-9_-]+/g, "_").replaceAll(/^_+|_+$/g, "");
  if (SOURCE_NAME.test(chosen)) return chosen;
  throw new InvalidSetting({
    setting: "name",
    problem: `"${chosen}" cannot be the name of an API`,
    hint: "Use 1 to 64 letters, digits, hyphens and underscores: tulipgraph tools import openapi DOCUMENT NAME",
  });
}

function baseOf({ base }: OpenApiImportOptions): string | undefined {
  if (base === undefined) return undefined;
  if (isAddress(base) && URL.canParse(base)) return base.replace(/\/+$/, "");
  throw new InvalidSetting({
    setting: "--base",
    problem: `"${base}" is not an address`,
    hint: "Write it with https://, for example: --base https://api.example.com/v1",
  });
}
