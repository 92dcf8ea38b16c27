import { ownVersion, type Settings } from '#config';
import { accessLine } from './access-line';
import type { Components } from './components';
import type { Service } from './service';

/** What a start shows: what this is, where it listens, where the data is, how to submit and to ask. */
export function startLines(settings: Readonly<Settings>, service: Service, part?: Components): string {
  const { url, urls, dataLocation, logLocation, queueDepth } = service;
  const curl = curlOf(settings, url);
  const waiting = queueDepth === 0 ? '' : `, ${queueDepth} commands of the log not yet applied`;
  const does = part === undefined ? '' : `; components: ${[...part].join(', ')}`;
  const lines = [
    `nodeledger ${ownVersion()} listens on ${urls.join(' and ')} (dialect ${settings.dialect}, edition ${settings.edition}${does})`,
    `data    ${dataLocation}${waiting}`,
  ];
  if (logLocation !== undefined) lines.push(`log     ${logLocation}`);
  lines.push(`access  ${accessLine(settings)}`);
  if (part?.has('write') !== false) {
    // Waits until the query below finds the command. This needs a projector in the process.
    const wait = part === undefined ? '&secondsToWaitForCompletion=10' : '';
    lines.push(
      `submit  ${curl} -H 'content-type: application/json' -d '{"certname":"web1","environment":"production","values":{"role":"web"},"producer_timestamp":"${new Date().toISOString()}","producer":null}' '${url}/pdb/cmd/v1?command=replace_facts&version=5&certname=web1${wait}'`,
    );
  }
  if (part?.has('read') !== false) {
    lines.push(`ask     ${curl} -G '${url}/pdb/query/v4/facts' --data-urlencode 'query=["=","certname","web1"]'`);
  }
  lines.push('stop    Ctrl-C');
  return `${lines.join('\n')}\n`;
}

/** With HTTPS alone, the service's own certificate serves as the client's. */
function curlOf({ tlsCa, tlsCert, tlsKey }: Readonly<Settings>, url: string): string {
  return url.startsWith('https:') ? `curl --cacert ${tlsCa} --cert ${tlsCert} --key ${tlsKey}` : 'curl';
}
