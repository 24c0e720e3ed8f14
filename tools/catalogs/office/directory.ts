import type { ToolContext } from "../../tool.js";
import { holds } from "./records.js";
import type { OfficeWorld } from "./state.js";

/**
 * Find the email addresses of colleagues in the company by their first or last name.
 *
 * @name company_directory.find_email_address
 * @effects read
 * @returns all addresses that contain the name; an empty list when there are none
 */
export function findEmailAddress(
  {
    name,
  }: {
    /** First or last name, as it stands in the address; a full name is written with a dot, as in first.last */
    name: string;
  },
  ctx: ToolContext<OfficeWorld>,
): string[] | string {
  if (!name) return "Name not provided.";
  return ctx.world.tables.addresses.filter((address) => holds(address, name));
}
