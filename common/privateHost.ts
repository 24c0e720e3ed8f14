import { BlockList, isIP } from "node:net";

/** Addresses of this machine, of local networks, and of the machine room (169.254.169.254). */
const PRIVATE = new BlockList();
for (const [address, length] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const) {
  PRIVATE.addSubnet(address, length);
}
for (const [address, length] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
] as const) {
  PRIVATE.addSubnet(address, length, "ipv6");
}

/** Whether the host of an address, as URLs write it, is this machine or one of a local network. Names are not resolved. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const family = isIP(host);
  if (family === 0) return /(?:^|\.)(?:localhost|local|internal)$/i.test(host);
  return PRIVATE.check(host, family === 4 ? "ipv4" : "ipv6");
}
