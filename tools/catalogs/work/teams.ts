import { UnknownName } from "../../../common/errors.js";
import type { User, WorkWorld } from "./state.js";

/** The users of a team; all users if no team is given. @throws UnknownName with all teams */
export function usersOf({ tables }: WorkWorld, team?: string): User[] {
  const users = Object.values(tables.users);
  if (team === undefined) return users;
  const members = users.filter((user) => user.team === team.trim().toLowerCase());
  if (members.length > 0) return members;
  const available = [...new Set(users.map((user) => user.team))];
  throw new UnknownName({ kind: "team", wanted: team, available });
}
