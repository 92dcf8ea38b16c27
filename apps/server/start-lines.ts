import type { Role } from '#access';
import { ownVersion, type Settings } from '#config';
import { accessLine } from './access-line';
import type { Components } from './components';
import type { ServiceFacts } from './service';

export function startLines(settings: Readonly<Settings>, facts: ServiceFacts, part?: Components): string {
  const { url, urls, dataLocation, logLocation, queueDepth, localClient } = facts;
  const waiting = queueDepth === 0 ? '' : `, ${queueDepth} commands of the log not yet applied`;
  const does = part === undefined ? '' : `; components: ${[...part].join(', ')}`;
  const lines = [
    `nodeledger ${ownVersion()} listens on ${urls.join(' and ')} (dialect ${settings.dialect}, edition ${settings.edition}${does})`,
    `data    ${dataLocation}${waiting}`,
  ];
  if (logLocation !== undefined) lines.push(`log     ${logLocation}`);
  lines.push(`access  ${accessLine(settings)}`);
  if (part?.has('read') !== false) lines.push(`console ${url}/console/`);
  const acceptsTokens = settings.authorization !== undefined;
  const isOwnOnly = !acceptsTokens && !localClient.roles.has('submit') && localClient.roles.has('submit-own');
  const certname = isOwnOnly ? (localClient.certname ?? 'web1') : 'web1';
  const curl = (role: Role): string | undefined => {
    if (localClient.roles.has(role) || (role === 'submit' && isOwnOnly)) return curlOf(settings, url);
    return acceptsTokens ? `${curlOf(settings, url)} -H "Authorization: Bearer $NODELEDGER_TOKEN"` : undefined;
  };
  const examples: string[] = [];
  const submit = part?.has('write') === false ? undefined : curl('submit');
  if (submit !== undefined) {
    // The example waits until the query below finds the command. Only a process with all components supports waiting.
    const wait = part === undefined ? '&secondsToWaitForCompletion=10' : '';
    const factset = `{"certname":"${certname}","environment":"production","values":{"role":"web"},"producer_timestamp":"${new Date().toISOString()}","producer":null}`;
    examples.push(
      `submit  ${submit} -H 'content-type: application/json' -d '${factset}' '${url}/pdb/cmd/v1?command=replace_facts&version=5&certname=${certname}${wait}'`,
    );
  }
  const ask = part?.has('read') === false ? undefined : curl('query');
  if (ask !== undefined) {
    examples.push(
      `ask     ${ask} -G '${url}/pdb/query/v4/facts' --data-urlencode 'query=["=","certname","${certname}"]'`,
    );
  }
  if (examples.some((line) => line.includes('NODELEDGER_TOKEN'))) {
    lines.push('token   nodeledger token create first --role submit --role query; then: export NODELEDGER_TOKEN=nlt_…');
  }
  return `${[...lines, ...examples, 'stop    Ctrl-C'].join('\n')}\n`;
}

/** Over HTTPS, curl sends the certificate of the service as its client certificate. */
function curlOf({ tlsCa, tlsCert, tlsKey }: Readonly<Settings>, url: string): string {
  return url.startsWith('https:') ? `curl --cacert ${tlsCa} --cert ${tlsCert} --key ${tlsKey}` : 'curl';
}
