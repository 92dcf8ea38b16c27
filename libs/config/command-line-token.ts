import { tokenKey } from './sources';

/** What the verbs that speak to a running service send: `authorization`, where NODELEDGER_TOKEN has a token. */
export function tokenHeaders(environment: NodeJS.ProcessEnv = process.env): Readonly<Record<string, string>> {
  const token = environment[tokenKey]?.trim();
  return token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` };
}
