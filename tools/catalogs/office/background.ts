/** Facts that a model has to be told to work in the office, beside the request itself. */
export const OFFICE_BACKGROUND = [
  "Today is Thursday, 30 November 2023, and the time is 00:00:00; the clock stands still.",
  'The user is Sam: "my" and "me" in a request mean Sam and Sam\'s own calendar and mailbox.',
  "Colleagues are often named by their first name only; the company directory has their email addresses.",
  "No meeting starts before 9:00 or ends after 18:00.",
].join(" ");
