import { counted } from "../../common/text.js";
import { OFFLINE_MODEL } from "../../state/settings.js";
import { RuleModel, type RuleQuestion, type RuleReply } from "../chat/ruleModel.js";
import { Refusal } from "./texts.js";

/**
 * The built-in model: replies to stages by rules, without a key or a network. It is not a language model. It reads
 * sums, one call with plain arguments, and such steps joined by "then", and refuses everything else. It computes
 * nothing: every number in an answer comes from the request or from a tool's result. The same input gives the same
 * reply, apart from call ids.
 */
export function offlinePlanner(): RuleModel {
  return new RuleModel(OFFLINE_MODEL, async (question) => {
    try {
      return await decide(question);
    } catch (error) {
      if (error instanceof Refusal) return { text: error.message, refusal: true };
      throw error;
    }
  });
}

/** Most characters of a request, which the rules scan repeatedly. */
const LONGEST_READ = 4000;

async function decide({ stage, input, byRules }: RuleQuestion): Promise<RuleReply> {
  const length = "request" in input ? String(input.request).length : 0;
  if (length > LONGEST_READ) {
    throw new Refusal(
      `I read at most ${counted(LONGEST_READ)} characters, and this one has ${counted(length)}.`,
    );
  }
  if (!byRules) throw new Refusal(`I have no rules for ${stage}.`);
  return await byRules();
}
