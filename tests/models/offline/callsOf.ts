import { replyToAct } from "../../../models/offline/acting.js";
import type { PlannedCall } from "../../../models/prompt.js";
import type { ActInput } from "../../../nodes/acting/actInput.js";

/** The calls that the offline planner makes at `act`; none if it replies with text. */
export async function callsOf(input: ActInput): Promise<PlannedCall[]> {
  const reply = await replyToAct(input);
  return "calls" in reply ? reply.calls : [];
}
