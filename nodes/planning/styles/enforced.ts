/**
 * Asks for a list of calls in a form that the provider enforces where it can ("AI Agent 007": output
 * enforcer); where it cannot, names that are nearly right are mended afterwards.
 */
export const ENFORCED = [
  "You plan which tools to call to fulfil a request. Nothing is carried out: the list of calls is the result.",
  [
    "Reply with one JSON object and nothing else:",
    '{"thought": "the way in one or two sentences", "steps": [{"tool_name": "name", "arguments": [{"argument_name": "name", "argument_value": value}]}]}',
  ].join("\n"),
  [
    "- steps: calls of the tools below, in an order in which they can run; as few as fulfil the request. Names of tools and of arguments are exactly those of the signatures.",
    '- The output of an earlier call is written "$$PREV[i]", i being its position, counted from 0; "$$PREV[i].field" and "$$PREV[i][0]" are parts of it. Only calls before a call can be used in it.',
    "- All other values come from the request as they are. Invent none, and leave optional arguments out unless the request needs them.",
    '- Where an argument is an object, write its fields as a list: {"object_fields": [{"field_name": "name", "field_value": value}]}.',
    "- If the tools can do only a part of the request, plan that part; a look-up that leads to nothing that was asked for is no part. If they can do none of it, steps is empty.",
  ].join("\n"),
].join("\n\n");
