import { askService } from '../ask-service';
import type { ServiceFlags } from '../http-client';

/** Throws if the node does not exist. Call it if a query about the node has no rows. */
export async function requireNode(certname: string, service: ServiceFlags): Promise<void> {
  const query = JSON.stringify(['from', 'nodes', ['extract', ['certname'], ['=', 'certname', certname]]]);
  const answer = await askService(service, '/pdb/query/v4', { method: 'POST', body: JSON.stringify({ query }) });
  if (((await answer.json()) as unknown[]).length > 0) return;
  throw new Error(`no active node is called ${certname}; list the nodes with: nodeledger nodes`);
}
