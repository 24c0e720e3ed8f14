import { InvalidSetting } from "../../common/errors.js";
import type { Workspace } from "../../home/workspace.js";
import { claimsIn } from "../../tools/sources/credentials/claims.js";
import { tokenName } from "../../tools/sources/credentials/store.js";
import { credentialsOf } from "../../tools/remote.js";
import { HttpProblem } from "../problem.js";
import type { Caller } from "./caller.js";

/**
 * Keeps the token with which a caller came, sealed and until it expires, for sources that it is passed on to. Without
 * such a source nothing is kept.
 */
export async function keepToken(workspace: Workspace, caller: Caller, token?: string) {
  if (token === undefined) return;
  const sources = await workspace.store.sources.list();
  if (!sources.some((source) => credentialsOf(source) === "passthrough")) return;
  const { exp, email, sub } = claimsIn(token) ?? {};
  const account = [email, sub].find((claim) => typeof claim === "string");
  const kept = {
    owner: caller.owner,
    source: tokenName(caller.id),
    kind: "token" as const,
    places: [],
    secret: { token },
    expiresAt: Number(exp) * 1000,
    ...(account === undefined ? {} : { account }),
  };
  const { find, keep } = await workspace.connections();
  // What sources have offered with the same token stays known.
  const before = await find(kept.owner, kept.source).catch(() => undefined);
  if (before?.secret["token"] === token) return;
  await keep(kept).catch((error: unknown) => {
    // Without a master key, nothing can be kept.
    if (!(error instanceof InvalidSetting)) throw error;
    throw new HttpProblem({ status: 503, problem: error.message });
  });
}
