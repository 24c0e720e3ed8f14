import type { ComposeStyle } from "../shared/stageInputs.js";

/** The form of a plan in each style in one line, for a model whose reply was in none that can be read. */
const FORMS: Record<ComposeStyle, string> = {
  typed:
    'one JSON object and nothing else: {"thought": "...", "steps": [{"tool": "name", "args": {"argument": value}}], "answer": "text", "lacking": []}',
  stateAction:
    'the list of all calls as JSON: [{"tool_name": "name", "arguments": [{"argument_name": "name", "argument_value": value}]}], or [] if the tools can do none of it',
  enforced:
    'one JSON object and nothing else: {"thought": "...", "steps": [{"tool_name": "name", "arguments": [{"argument_name": "name", "argument_value": value}]}]}',
  code: "one block of TypeScript and nothing else, with one call a line: const r0 = name({ argument: value });",
};

/** What to reply with where a plan is asked for once more. */
export function planFormText(style: ComposeStyle): string {
  return `Reply with ${FORMS[style]}.`;
}
