/** How the setting is written, completing "expected …". */
export const hostsForm = 'names of hosts without a port, separated by commas, such as console.example.com';

const name = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

/** The names in lower case; undefined if one of them is not the name of a host. */
export function readHosts(text: string): string[] | undefined {
  const names = text
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== '');
  return names.every((one) => one.length < 254 && name.test(one)) ? names : undefined;
}
