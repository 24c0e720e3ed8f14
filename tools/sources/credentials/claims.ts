import { jsonOrNothing } from "../../../common/jsonInText.js";

/** What a token says; unproven, and only to be shown or compared with what its issuer will check. */
export function claimsIn(token: unknown): Record<string, unknown> | undefined {
  if (typeof token !== "string") return undefined;
  const [, payload = ""] = token.split(".");
  const claims = jsonOrNothing(Buffer.from(payload, "base64url").toString("utf8"));
  return typeof claims === "object" && claims !== null ? { ...claims } : undefined;
}
