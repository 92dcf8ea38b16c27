export const hostsForm = 'names of hosts without a port, separated by commas, such as console.example.com';

const name = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

export function readHosts(text: string): string[] | undefined {
  const names = text
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== '');
  return names.every((one) => one.length < 254 && name.test(one)) ? names : undefined;
}
