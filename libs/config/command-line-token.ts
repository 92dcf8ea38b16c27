import { tokenKey } from './sources';

export function tokenHeaders(environment: NodeJS.ProcessEnv = process.env): Readonly<Record<string, string>> {
  const token = environment[tokenKey]?.trim();
  return token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` };
}
