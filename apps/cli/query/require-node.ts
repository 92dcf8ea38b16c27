import { askService } from '../ask-service';
import type { ServiceFlags } from '../http-client';
import { type AsOfFlag, asOfParameter } from './as-of';

/** Throws if there is no active node with this name. */
export async function requireNode(certname: string, flags: ServiceFlags & AsOfFlag): Promise<void> {
  const query = JSON.stringify(['from', 'nodes', ['extract', ['certname'], ['=', 'certname', certname]]]);
  const body = JSON.stringify({ query, ...asOfParameter(flags) });
  const answer = await askService(flags, '/pdb/query/v4', { method: 'POST', body });
  if (((await answer.json()) as unknown[]).length > 0) return;
  if (flags.asOf === undefined)
    throw new Error(`no active node is called ${certname}; list the nodes with: nodeledger nodes`);
  throw new Error(
    `no active node was called ${certname} then; list the nodes with: nodeledger nodes --as-of '${flags.asOf}'`,
  );
}
