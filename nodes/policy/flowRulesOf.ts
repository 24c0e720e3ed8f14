import { z } from "zod";
import { InvalidSetting, messageOf } from "../../common/errors.js";
import { fileText } from "../../common/dataFile.js";
import { issueText } from "../../common/schemas/issueText.js";
import type { Settings } from "../../state/settings.js";
import {
  DEFAULT_FLOW_RULES,
  type FlowRules,
  flowRulesSchema,
} from "../../tools/calls/flow/flowRules.js";

const OFF = "off";

/**
 * The flow rules of a run: from its file, or the defaults; undefined if turned off. The file is read each time,
 * so that a stricter rule holds for the next call.
 *
 * @throws InvalidSetting for a file that cannot be read or has no rules
 */
export function flowRulesOf({ flowRules }: Pick<Settings, "flowRules">): FlowRules | undefined {
  if (flowRules === undefined) return DEFAULT_FLOW_RULES;
  if (flowRules === OFF) return undefined;
  const given = readRules(flowRules);
  const parsed = flowRulesSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw unusable(flowRules, `holds no valid rules: ${firstIssue(parsed.error, given)}`);
}

function readRules(file: string): unknown {
  try {
    return JSON.parse(fileText(file));
  } catch (error) {
    const isAbsent = Object(error).code === "ENOENT";
    const other = isAbsent ? "the file does not exist" : messageOf(error);
    const why = error instanceof SyntaxError ? "it is not JSON" : other;
    throw unusable(file, `cannot be read: ${why}`);
  }
}

function firstIssue(error: z.ZodError, given: unknown): string {
  const place = error.issues[0]?.path.join(".") ?? "";
  return [place, issueText(error, given)].filter(Boolean).join(": ");
}

function unusable(file: string, problem: string): InvalidSetting {
  return new InvalidSetting({
    setting: "flowRules",
    problem: `${file} ${problem}`,
    hint: 'write { "private": { "outward": "ask" }, "foreign": { "write": "ask" } } with allow, ask or refuse, or give "off"',
  });
}
