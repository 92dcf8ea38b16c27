import { hrefTo } from '../../address/address';
import { filterParams } from '../../filters/node-filter';
import { Card } from '../../parts/card';
import { Value } from '../../parts/value';
import { Age } from '../../parts/time';
import { visible } from '../../parts/text';
import { equal, from } from '../../service/ast';
import { useRows } from '../../service/use-rows';
import type { Report } from '../../service/shapes';
import type { NodeRow } from './node-row';

interface Inventory {
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A fact can have several paths. The page uses the first path that the node has. */
const glances: readonly (readonly [words: string, paths: readonly string[]])[] = [
  ['Role', ['role', 'trusted.extensions.pp_role']],
  ['Operating system', ['os.name']],
  ['Release', ['os.release.full']],
  ['Kernel', ['kernelrelease']],
  ['Address', ['networking.ip', 'ipaddress']],
  ['Processors', ['processors.count', 'processorcount']],
  ['Memory', ['memory.system.total', 'memorysize']],
  ['Up for', ['system_uptime.uptime', 'uptime']],
];

export function AtAGlance({ row }: { readonly row: NodeRow }) {
  const { certname } = row;
  const inventory = useRows<Inventory>(
    from('inventory', ['facts'], ['and', equal('certname', certname), equal('node_state', 'any')]),
  );
  const reports = useRows<
    Pick<Report, 'producer' | 'code_id' | 'agent_version' | 'puppet_version' | 'configuration_version'>
  >(
    row.latest_report_hash === null
      ? undefined
      : from(
          'reports',
          ['producer', 'code_id', 'agent_version', 'configuration_version'],
          equal('hash', row.latest_report_hash),
        ),
  );
  const facts = inventory.data?.[0]?.facts ?? {};
  const report = reports.data?.[0];
  const found = glances.flatMap(([words, paths]) => {
    for (const path of paths) {
      const value = valueAt(facts, path);
      if (value !== undefined) return [{ words, path, value }];
    }
    return [];
  });
  return (
    <Card title="At a glance">
      <dl class="kv in">
        <dt>Last run</dt>
        <dd>
          {row.latest_report_hash === null ? (
            'none'
          ) : (
            <a class="link" href={hrefTo(['reports', row.latest_report_hash])}>
              <Age time={row.report_timestamp} />
            </a>
          )}
        </dd>
        <dt>Environment</dt>
        <dd>
          {row.report_environment === null ? (
            'none'
          ) : (
            <a class="plain-link" href={hrefTo(['nodes'], filterParams('environment', [row.report_environment]))}>
              <bdi>{visible(row.report_environment)}</bdi>
            </a>
          )}
        </dd>
        {report !== undefined && (
          <>
            <dt>Server</dt>
            <dd class="mono">{report.producer === null ? 'none' : visible(report.producer)}</dd>
            <dt>Code</dt>
            <dd class="mono">{visible(report.code_id?.slice(0, 12) ?? report.configuration_version)}</dd>
            <dt>Agent</dt>
            <dd>{visible(report.agent_version ?? report.puppet_version ?? '')}</dd>
          </>
        )}
        {found.map(({ words, path, value }) => (
          <>
            <dt>{words}</dt>
            <dd>
              {typeof value === 'object' ? (
                <Value value={value} limit={80} />
              ) : (
                <a
                  class="plain-link"
                  href={hrefTo(['nodes'], filterParams(`fact:${path}`, [value]))}
                  title={`Who else has this ${path}?`}
                >
                  <Value value={value} limit={80} />
                </a>
              )}
            </dd>
          </>
        ))}
      </dl>
    </Card>
  );
}

function valueAt(facts: unknown, path: string): unknown {
  let value = facts;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value ?? undefined;
}
