import type { ToolContext } from "../../tool.js";
import { idsOf, userOf } from "./rows.js";
import type { User, WorkWorld } from "./state.js";
import { usersOf } from "./teams.js";

/**
 * Show what is known about a user: name, email address, team and hours per week.
 *
 * @name get_user
 * @effects read
 * @returns the user
 */
export function getUser(
  {
    user_id,
  }: {
    /** Id of the user, such as "DEVU-2" */
    user_id: string;
  },
  ctx: ToolContext<WorkWorld>,
): User {
  return userOf(ctx.world, user_id);
}

/**
 * List the users: all colleagues, or those of a team.
 *
 * @name list_users
 * @effects read
 * @returns ids of the users
 */
export function listUsers(
  {
    team,
  }: {
    /** Only users of this team; its case does not matter */
    team?: string;
  },
  ctx: ToolContext<WorkWorld>,
): string[] {
  return idsOf(usersOf(ctx.world, team));
}
