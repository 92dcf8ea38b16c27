import { tokenKey } from './sources';

/** Returns the header `authorization` with the token in NODELEDGER_TOKEN, or no header if the variable is empty. */
export function tokenHeaders(environment: NodeJS.ProcessEnv = process.env): Readonly<Record<string, string>> {
  const token = environment[tokenKey]?.trim();
  return token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` };
}
