import { ownVersion, type Settings } from '#config';
import type { Service } from './service';

/** What a start shows: what this is, where it listens, where the data lie, how to submit and to ask. */
export function startLines(settings: Readonly<Settings>, { url, dataLocation, queueDepth }: Service): string {
  const waiting = queueDepth === 0 ? '' : `, ${queueDepth} commands of the log still to be applied`;
  return `nodeledger ${ownVersion()} listens on ${url} (dialect ${settings.dialect}, edition ${settings.edition})
data    ${dataLocation}${waiting}
submit  curl -H 'content-type: application/json' -d '{"certname":"web1","environment":"production","values":{"role":"web"},"producer_timestamp":"2024-01-01T00:00:00Z","producer":null}' '${url}/pdb/cmd/v1?command=replace_facts&version=5&certname=web1'
ask     curl -G '${url}/pdb/query/v4/facts' --data-urlencode 'query=["=","certname","web1"]'
stop    Ctrl-C
`;
}
