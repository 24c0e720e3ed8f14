import { InvalidSetting } from "../../common/errors.js";

/** @throws InvalidSetting unless a setting is the address of a Postgres database */
export function requirePostgres({ setting, url }: { setting: string; url: string }): string {
  const { protocol, host, pathname } = URL.canParse(url) ? new URL(url) : {};
  if (protocol === "postgres:" || protocol === "postgresql:") return url;
  const came = protocol === undefined ? "it" : `${protocol}//${host}${pathname}`;
  throw new InvalidSetting({
    setting,
    problem: `${came} is not an address of a Postgres database`,
    hint: "Give one such as postgres://host:5432/database; user and password may come from PGUSER and PGPASSWORD",
  });
}
