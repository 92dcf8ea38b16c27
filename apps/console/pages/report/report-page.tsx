import { hrefTo, hrefWith } from '../../address/address';
import { PageHead, Tabs } from '../../parts/card';
import { useShortName } from '../../parts/node-name';
import { Loading, Trouble } from '../../parts/states';
import { Mark } from '../../parts/status';
import { count, counted } from '../../parts/text';
import { durationText, exactTime } from '../../parts/moments';
import { Age } from '../../parts/time';
import { equal, from } from '../../service/ast';
import { useAnswer } from '../../service/use-answer';
import { useRows } from '../../service/use-rows';
import type { LogLine, Metric, Report, ReportEvent } from '../../service/shapes';
import type { PageProps } from '../page-props';
import { AgainstRunBefore } from './against-run-before';
import { EventsOfRun } from './events-of-run';
import { LogsOfRun } from './logs-of-run';
import { runTone, runWord } from './run-status';
import { TimesOfRun } from './times-of-run';

export const reportColumns = [
  'hash',
  'certname',
  'status',
  'noop',
  'noop_pending',
  'environment',
  'producer',
  'code_id',
  'configuration_version',
  'start_time',
  'end_time',
  'receive_time',
  'cached_catalog_status',
];

const tabs = ['events', 'logs', 'times'] as const;
type Tab = (typeof tabs)[number];

export function ReportPage({ address }: PageProps) {
  const [, hash = '', named] = address.path;
  const shorten = useShortName();
  const tab = tabs.find((one) => one === named) ?? 'events';
  const reports = useRows<Report>(from('reports', reportColumns, equal('hash', hash)));
  const report = reports.data?.[0];
  const events = useRows<ReportEvent>(from('events', undefined, equal('report', hash), { order: ['timestamp'] }));
  const part = `pdb/query/v4/reports/${encodeURIComponent(hash)}`;
  const logs = useAnswer<readonly LogLine[]>(report === undefined ? undefined : `${part}/logs`);
  const metrics = useAnswer<readonly Metric[]>(report === undefined ? undefined : `${part}/metrics`);
  const others = useNeighbours(report);
  if (reports.data === undefined)
    return reports.refusal === undefined ? <Loading lines={6} /> : <Trouble answer={reports} />;
  if (report === undefined)
    return (
      <section class="card">
        <div class="empty">
          <h1>This report is gone</h1>
          <p>Reports are deleted when they are old, or with their node.</p>
          <a class="btn" href={hrefTo(['reports'])}>
            Show all reports
          </a>
        </div>
      </section>
    );
  const name = shorten(report.certname);
  const figures = countsOf(events.data);
  const duration = new Date(report.end_time).getTime() - new Date(report.start_time).getTime();
  const totalResources = metrics.data?.find(
    ({ category, name }) => category === 'resources' && name === 'total',
  )?.value;
  return (
    <>
      <PageHead
        above={
          <>
            <a class="link" href={hrefTo(['nodes', report.certname])}>
              <bdi>{name}</bdi>
            </a>{' '}
            / Reports
          </>
        }
        title={
          <>
            <h1>
              <bdi>{titleOf(report, figures, totalResources, name)}</bdi>
            </h1>
            <Mark tone={runTone(report)} box>
              {runWord(report)}
            </Mark>
          </>
        }
        below={
          <>
            Run of <time dateTime={report.end_time}>{exactTime(report.end_time)}</time> (<Age time={report.end_time} />
            ), took {durationText(duration)}.{' '}
            {figures === undefined
              ? ''
              : `${count(figures.success)} changed${figures.noop > 0 ? `, ${count(figures.noop)} would change` : ''}, ${count(figures.skipped)} skipped.`}
          </>
        }
      >
        {others.before !== undefined && (
          <a class="btn" href={hrefTo(['reports', others.before.hash])}>
            ← Run before
          </a>
        )}
        {others.after !== undefined && (
          <a class="btn" href={hrefTo(['reports', others.after.hash])}>
            Run after →
          </a>
        )}
      </PageHead>
      <Tabs<Tab>
        label="Parts of the report"
        chosen={tab}
        href={(name) => hrefTo(['reports', hash, ...(name === 'events' ? [] : [name])])}
        tabs={[
          ['events', 'Events', events.data === undefined ? undefined : count(events.data.length)],
          ['logs', 'Logs', logs.data === undefined ? undefined : count(logs.data.length)],
          ['times', 'Times'],
        ]}
      />
      {tab === 'events' ? (
        <div class="cols">
          <EventsOfRun report={report} events={events} before={others.before} logs={logs.data} />
          <div class="stack">
            {others.before !== undefined && (
              <AgainstRunBefore report={report} before={others.before} metrics={metrics.data} />
            )}
            <TimesOfRun metrics={metrics} most={8} />
            <LogsOfRun
              logs={logs}
              level={address.params.get('level')}
              hrefOf={(level) => hrefWith(address, { level })}
              hrefOfAll={hrefTo(['reports', hash, 'logs'], { level: address.params.get('level') })}
              most={8}
            />
          </div>
        </div>
      ) : tab === 'logs' ? (
        <LogsOfRun
          logs={logs}
          level={address.params.get('level')}
          hrefOf={(level) => hrefWith(address, { level })}
          most={2000}
        />
      ) : (
        <TimesOfRun metrics={metrics} most={200} />
      )}
    </>
  );
}

function useNeighbours(report: Report | undefined): { before?: Report; after?: Report } {
  const near = (operator: '<' | '>', order: 'asc' | 'desc'): string | undefined =>
    report === undefined
      ? undefined
      : from(
          'reports',
          reportColumns,
          ['and', equal('certname', report.certname), [operator, 'end_time', report.end_time]],
          { order: [['end_time', order]], limit: 1 },
        );
  const before = useRows<Report>(near('<', 'desc'), { keepOld: false }).data?.[0];
  const after = useRows<Report>(near('>', 'asc'), { keepOld: false }).data?.[0];
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

type Figures = Readonly<Record<ReportEvent['status'], number>>;

/** A resource with two failed properties has two events, but counts as one failure. */
function countsOf(events: readonly ReportEvent[] | undefined): Figures | undefined {
  if (events === undefined) return undefined;
  const figure = (status: ReportEvent['status']): number =>
    new Set(
      events
        .filter((event) => event.status === status)
        .map(({ resource_type: type, resource_title: title }) => `${type}[${title}]`),
    ).size;
  return { failure: figure('failure'), success: figure('success'), skipped: figure('skipped'), noop: figure('noop') };
}

function titleOf(report: Report, figures: Figures | undefined, total: number | undefined, name: string): string {
  const all = total === undefined ? '' : ` of ${counted(total, 'resource')}`;
  const some = (figure: number): string =>
    total === undefined ? counted(figure, 'resource') : `${count(figure)}${all}`;
  if (report.status === 'failed') {
    if (figures === undefined) return `Run failed on ${name}`;
    return figures.failure === 0 ? `No catalog was applied on ${name}` : `${some(figures.failure)} failed on ${name}`;
  }
  if (report.noop && figures !== undefined && figures.noop > 0) return `${some(figures.noop)} would change on ${name}`;
  if (report.status === 'changed' && figures !== undefined) return `${some(figures.success)} changed on ${name}`;
  return `Nothing changed on ${name}`;
}
