import type { GivenDecision, ReviewRequest } from "../../nodes/policy/askDecisions.js";
import { canonicalJson } from "../../tools/library/records/hash.js";
import type { Recording } from "./recording.js";

/**
 * Decides as the person of a recorded run did, action by action. What nobody was asked then is approved: a replay writes
 * nothing, and its report shows what it would have written.
 */
export function decideAgain(
  { decisions }: Pick<Recording, "decisions">,
  { actionRequests }: Pick<ReviewRequest, "actionRequests">,
): { decisions: GivenDecision[] } {
  return {
    decisions: actionRequests.map(({ name, args }) => {
      const then = decisions.find(
        (one) => one.name === name && canonicalJson(one.args) === canonicalJson(args),
      );
      if (then?.type === "reject") return { type: "reject", message: then.message };
      if (then?.type !== "edit") return { type: "approve" };
      return { type: "edit", editedAction: { name, args: then.instead ?? args } };
    }),
  };
}
