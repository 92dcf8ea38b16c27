import { isIP } from 'node:net';

export const networksForm = 'addresses and networks, separated by commas, such as 192.0.2.7, 10.0.0.0/8';

export function readNetworks(text: string): string[] | undefined {
  const networks = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return networks.every(isNetwork) ? networks : undefined;
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}
