import { beginning, clipped } from "../../../common/text.js";
import { oneLine } from "../../../common/errors.js";
import type { ToolDefinition } from "../../tool.js";
import type { Finding } from "./finding.js";
import { toolTexts } from "./texts.js";

/**
 * Texts that tell the model what to do instead of what the tool does. `error`: only useful for an attack · `warning`:
 * pushes a tool ahead of others, or gives orders that belong in the agent's own instructions.
 */
const ORDERS: readonly { what: string; severity: keyof typeof CHANGES; pattern: RegExp }[] = [
  {
    what: "wants other instructions to be ignored",
    severity: "error",
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,30}(?:\b(?:previous|prior|above|earlier|preceding|system|your)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules|guidelines|directives)\b|\b(?:all|any|other)\b[^.\n]{0,30}\b(?:instructions?|prompts?)\b)/i,
  },
  {
    what: "wants something to be kept from the user",
    severity: "error",
    pattern:
      /\b(?:(?:do not|don['’]t|never|must not)\s+(?:tell|inform|mention|reveal|disclose|alert)|without\s+(?:telling|informing|mentioning|revealing|asking|disclosing))\b[^.\n]{0,40}\b(?:users?|persons?|humans?|anyone|anybody)\b/i,
  },
  {
    what: "poses as a message of the system",
    severity: "error",
    pattern:
      /<\/?(?:system|important|instructions?|assistant|im_start|im_end)\b[^>]{0,40}>|<\/(?:admin|secret)>|\[\/?(?:system|inst)\]|<\|[a-z_]{2,20}\|>|\byou are now (?:an?|in|the)\b/i,
  },
  {
    what: "asks for what a tool has no use for",
    severity: "error",
    pattern:
      /\b(?:send|forward|upload|post|copy|pass|include|append|attach)\b[^.\n]{0,60}(?:\b(?:entire|whole|full|complete) (?:conversation|chat|context)\b(?! (?:of|with|between|from)\b)|\b(?:this|our|your) (?:conversation|chat)\b|\b(?:conversation|chat) history\b(?! (?:of|with|between|from)\b))|\bread\b[^.\n]{0,40}\b(?:conversation|chat)\b[^.\n]{0,40}\b(?:pass|put|send|include|add|append)\b|\b(?:send|forward|upload|post|copy|pass|include|append|attach|read)\b[^.\n]{0,60}(?:\byour system prompt\b|\bid_rsa\b|~\/\.ssh|\.env\b|\bmcp\.json\b)/i,
  },
  {
    what: "puts itself before other tools",
    severity: "warning",
    pattern:
      /\b(?:always|must)\b[^.\n]{0,20}\b(?:call|use|run|invoke|prefer)\b[^.\n]{0,20}\b(?:this (?:tool|function|one)|first|before)\b|\bbefore (?:using|calling|running|you (?:use|call|run))\b[^.\n]{0,20}\b(?:any|every|all|other)\b[^.\n]{0,20}\btools?\b|\b(?:instead of|rather than|over)\b[^.\n]{0,10}\b(?:any|all|every) other tools?\b/i,
  },
  {
    what: "gives the model orders",
    severity: "warning",
    pattern:
      /\b(?:important|attention|warning|note to (?:the )?(?:ai|model|llm|assistant))\b\s*(?::|!).{0,40}\b(?:you|always|never|must)\b|(?<!\b(?:user|customer|support|service|sales|travel|real estate|insurance|business|data|domain|object|schema)[ -])\b(?:ai|llm|model|assistant|agent) (?:must|should|has to|shall)\b(?! (?:not )?(?:be|exist|have|belong|support)\b)/i,
  },
];

/** Most characters of a text that are read, because patterns are tried at each. */
const LONGEST_READ = 20_000;

const LONGEST_QUOTED = 100;

/** Finds texts of tools that give the model orders; reports the most serious one of each tool. */
export function orderFindings(tools: readonly ToolDefinition[]): Finding[] {
  return tools.flatMap((tool) => {
    const texts = toolTexts(tool);
    const found = ORDERS.flatMap(({ what, severity, pattern }): Finding[] => {
      for (const { place, text } of texts) {
        const line = oneLine(beginning(text, LONGEST_READ));
        const at = line.search(pattern);
        if (at === -1) continue;
        const problem = `its ${place} ${what}: "${clipped(line.slice(at), LONGEST_QUOTED)}"`;
        return [
          { check: "orders", severity, tools: [tool.id], problem, change: CHANGES[severity] },
        ];
      }
      return [];
    });
    return found.slice(0, 1);
  });
}

const CHANGES = {
  error: "Find out who wrote it before any model reads it, and delete the order or the tool",
  warning: "Say what the tool does and when it fits; orders belong in the agent's own instructions",
};
