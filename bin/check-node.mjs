// Written in old syntax on purpose: an old Node must be able to parse this file to report that it is too old. Whoever
// imports it must not statically import anything newer.
var WANTED_MAJOR = 20;
var WANTED_MINOR = 12;
var found = process.version.match(/^v(\d+)\.(\d+)/) || [];
var major = Number(found[1]);
var minor = Number(found[2]);

if (major < WANTED_MAJOR || (major === WANTED_MAJOR && minor < WANTED_MINOR)) {
  process.stderr.write(
    "tulipgraph: Node " +
      WANTED_MAJOR +
      "." +
      WANTED_MINOR +
      " or newer is needed, this is " +
      process.version +
      " (" +
      process.execPath +
      "); install a newer one from https://nodejs.org\n",
  );
  process.exit(2);
}
