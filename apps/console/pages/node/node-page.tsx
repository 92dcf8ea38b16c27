import { hrefTo } from '../../address/address';
import { ListLink, PageHead, Tabs } from '../../parts/card';
import { Icon } from '../../parts/icon';
import { NameEnd } from '../../parts/node-name';
import { Loading, Trouble } from '../../parts/states';
import { Mark, StatusMark } from '../../parts/status';
import { count, visible } from '../../parts/text';
import { Age, Moment } from '../../parts/time';
import { equal, from } from '../../service/ast';
import { useAnswer } from '../../service/use-answer';
import { useRows } from '../../service/use-rows';
import type { NodeList } from '../../service/shapes';
import { useSession } from '../../shell/session';
import type { PageProps } from '../page-props';
import { AtAGlance } from './at-a-glance';
import { BrokenNow } from './broken-now';
import { FactsTab } from './facts-tab';
import { InputsTab } from './inputs-tab';
import { NodeMenu } from './node-menu';
import { PackagesTab } from './packages-tab';
import { RelationsTab } from './relations-tab';
import { ReportsTab } from './reports-tab';
import { ResourcesTab } from './resources-tab';
import { TimelineTab } from './timeline-tab';
import { TimeSlider } from './time-slider';
import type { NodeRow } from './node-row';
import { useContext } from 'preact/hooks';

const tabs = ['timeline', 'reports', 'facts', 'resources', 'packages', 'relations', 'inputs'] as const;
type Tab = (typeof tabs)[number];

export function NodePage({ address }: PageProps) {
  const [, certname = '', named] = address.path;
  const tab = tabs.find((one) => one === named) ?? 'timeline';
  const mine = equal('certname', certname);
  const node = useRows<NodeRow>(from('nodes', undefined, ['and', mine, equal('node_state', 'any')]), { every: 15 });
  const listed = useAnswer<NodeList>(
    'nodeledger/v1/node-list',
    { query: JSON.stringify(mine), limit: 1 },
    { every: 15 },
  );
  const counts = useCounts(certname);
  const row = node.data?.[0];
  if (node.data === undefined)
    return node.refusal === undefined ? (
      <Loading lines={6} />
    ) : (
      <>
        <PageHead
          title={
            <h1 class="certname mono">
              <SplitName name={certname} />
            </h1>
          }
        />
        <Trouble answer={node} />
      </>
    );
  if (row === undefined) return <UnknownNode certname={certname} />;
  const summary = listed.data?.nodes[0];
  const figure = (value: number | undefined): string | undefined => (value === undefined ? undefined : count(value));
  return (
    <>
      <PageHead
        above={<ListLink path={['nodes']}>Nodes</ListLink>}
        title={
          <>
            <h1 class="certname mono">
              <SplitName name={certname} />
            </h1>
            {row.deactivated !== null ? (
              <Mark tone="stale" box>
                Deactivated
              </Mark>
            ) : row.expired !== null ? (
              <Mark tone="stale" box>
                Expired
              </Mark>
            ) : (
              summary !== undefined && <StatusMark status={summary.status} box />
            )}
          </>
        }
        below={<LifeSentence row={row} />}
      >
        <a class="btn" href={hrefTo(['compare'], { a: certname })}>
          <Icon name="compare" />
          Compare
        </a>
        <a class="btn hide" href={hrefTo(['query'], { q: `inventory { certname = ${JSON.stringify(certname)} }` })}>
          <Icon name="query" />
          Query
        </a>
        <NodeMenu certname={certname} isActive={row.deactivated === null && row.expired === null} />
      </PageHead>
      <Trouble answer={node} />
      <TimeSlider certname={certname} address={address} />
      <Tabs<Tab>
        label="Parts of the node"
        chosen={tab}
        href={(name) => hrefTo(['nodes', certname, ...(name === 'timeline' ? [] : [name])])}
        tabs={[
          ['timeline', 'Timeline'],
          ['facts', 'Facts', figure(counts.facts)],
          ['resources', 'Resources', figure(counts.resources)],
          ['reports', 'Reports', figure(counts.reports)],
          ['packages', 'Packages', figure(counts.packages)],
          ['relations', 'Relations'],
          ['inputs', 'Inputs'],
        ]}
      />
      {tab === 'timeline' || tab === 'reports' ? (
        <div class="cols">
          {tab === 'timeline' ? (
            <TimelineTab certname={certname} address={address} />
          ) : (
            <ReportsTab certname={certname} address={address} total={counts.reports} />
          )}
          <div class="stack">
            {row.latest_report_status === 'failed' && row.latest_report_hash !== null && (
              <BrokenNow hash={row.latest_report_hash} />
            )}
            <AtAGlance row={row} />
          </div>
        </div>
      ) : tab === 'facts' ? (
        <FactsTab certname={certname} address={address} />
      ) : tab === 'resources' ? (
        <ResourcesTab certname={certname} address={address} />
      ) : tab === 'packages' ? (
        <PackagesTab certname={certname} address={address} />
      ) : tab === 'relations' ? (
        <RelationsTab certname={certname} address={address} />
      ) : (
        <InputsTab certname={certname} />
      )}
    </>
  );
}

function useCounts(certname: string): Partial<Record<'facts' | 'resources' | 'reports' | 'packages', number>> {
  const counted = (entity: string, also: readonly (readonly string[])[] = []): string => {
    const mine = equal('certname', certname);
    return from(entity, [['function', 'count']], also.length === 0 ? mine : ['and', mine, ...also]);
  };
  const figures = {
    facts: useRows<{ count: number }>(counted('facts', [['=', 'node_state', 'any']])),
    resources: useRows<{ count: number }>(counted('resources', [['=', 'node_state', 'any']])),
    reports: useRows<{ count: number }>(counted('reports')),
    packages: useRows<{ count: number }>(counted('package_inventory')),
  };
  return Object.fromEntries(Object.entries(figures).map(([name, { data }]) => [name, data?.[0]?.count]));
}

function LifeSentence({ row }: { readonly row: NodeRow }) {
  if (row.deactivated !== null)
    return (
      <>
        Deactivated <Age time={row.deactivated} />. Its next facts, catalog or report bring it back.
      </>
    );
  if (row.expired !== null)
    return (
      <>
        Expired <Age time={row.expired} />, because it sent nothing for so long. This is its last state.
      </>
    );
  if (row.report_timestamp === null) return <>It has sent no report yet.</>;
  return (
    <>
      Last run <Age time={row.report_timestamp} />
      {row.report_environment !== null && (
        <>
          {' '}
          in <bdi>{visible(row.report_environment)}</bdi>
        </>
      )}
      {row.catalog_timestamp !== null && (
        <>
          {' · '}catalog of <Moment time={row.catalog_timestamp} />
        </>
      )}
    </>
  );
}

function SplitName({ name }: { readonly name: string }) {
  const end = useContext(NameEnd);
  const own = end !== '' && name.endsWith(end) ? name.slice(0, -end.length) : name;
  return (
    <bdi>
      {visible(own)}
      <span class="faint">{visible(name.slice(own.length))}</span>
    </bdi>
  );
}

function UnknownNode({ certname }: { readonly certname: string }) {
  const { summary } = useSession();
  return (
    <section class="card">
      <div class="empty">
        <h1 class="certname mono">
          <bdi>{visible(certname)}</bdi>
        </h1>
        <p>No node has this name. It was deleted, or it never sent anything.</p>
        <a class="btn" href={hrefTo(['nodes'], { q: certname.split('.')[0] })}>
          Find names like it{summary.data === undefined ? '' : ` among ${count(summary.data.total)}`}
        </a>
      </div>
    </section>
  );
}
