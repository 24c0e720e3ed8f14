/** Whether a word is a form of a verb: "close", "closed", "closing". */
export function isFormOf(word: string, verb: string): boolean {
  if (word === IRREGULAR[verb] || word === verb) return true;
  const stem = verb.replace(/[ey]$/, "");
  return stem.length >= 3 && word.startsWith(stem) && word.length - verb.length <= 4;
}

/** "close" → "closed", "submit" → "submitted", "send" → "sent" */
export function pastOf(verb: string): string {
  const irregular = IRREGULAR[verb];
  if (irregular !== undefined) return irregular;
  if (verb.endsWith("e")) return `${verb}d`;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`;
  const isShort = /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(verb);
  return isShort || DOUBLED.has(verb) ? `${verb}${verb.at(-1)}ed` : `${verb}ed`;
}

const DOUBLED: ReadonlySet<string> = new Set(
  "submit commit transfer permit admit cancel unpin untag unplug refer defer".split(" "),
);

const IRREGULAR: Record<string, string> = Object.fromEntries(
  `build built|buy bought|cut cut|draw drew|forget forgot|give gave|hide hid|hold held|keep kept|lend lent
leave left|let let|make made|overwrite overwrote|pay paid|put put|reset reset|rewrite rewrote|run ran|sell sold
send sent|resend resent|set set|shut shut|spend spent|split split|take took|undo undid|unset unset|withdraw withdrew|write wrote`
    .split(/[|\n]/)
    .map((pair) => pair.split(" ") as [string, string]),
);

/** Verbs that names of tools begin with. */
export const VERBS: ReadonlySet<string> = new Set(
  `accept activate add adjust append apply approve archive assign attach award ban block book buy cancel change charge clear
clone close commit complete confirm connect copy create deactivate decline delete deliver deploy detach disable disconnect
dismiss drop edit enable enroll erase extend fill finish fix follow forward free give grant hide hold import insert install
invite issue join keep kill label leave link lock log make mark merge mount move mute notify open order overwrite park pause pay pin
place post press print publish pull purchase purge push put quit rate reassign rebook record redeem refund register reject release
remove rename renew reopen replace reply request reschedule resend reserve reset resolve restart restore resume retry return
revoke rewrite rotate run save schedule sell send set share ship shut sign skip snooze split star start stop submit subscribe swap
switch sync tag take terminate toggle transfer trash trigger turn unarchive unassign unblock undo uninstall unlink unlock
unmute unpin unpublish unset unsubscribe update upgrade upload upsert use vote wipe withdraw write`.split(
    /\s+/,
  ),
);
