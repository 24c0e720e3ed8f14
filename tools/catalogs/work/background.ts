/** Facts that a model has to be told to work with the work items, beside the request itself. */
export const WORK_BACKGROUND = [
  "Today is Wednesday, 12 March 2025; the clock stands still.",
  'The user is a developer of the company: "I", "me" and "my" in a request mean the user whose id who_am_i gives.',
  'Work items (issues "ISS-1", tickets "TKT-1", tasks "TASK-1"), parts ("PROD-1", "CAPL-1", "FEAT-1", "ENH-1"), sprints ("SPRINT-1"), customers, also called rev orgs ("REV-1"), and users ("DEVU-1") are handed from tool to tool by their ids.',
  "search_object_by_name gives the id of what is known by its name alone.",
].join(" ");
