import { hrefTo } from '../../address/address';
import { Card } from '../../parts/card';
import { Mark } from '../../parts/status';
import { count, visible } from '../../parts/text';
import { durationText, momentText } from '../../parts/moments';
import { useAnswer } from '../../service/use-answer';
import type { Metric, Report } from '../../service/shapes';
import { runTone, runWord } from './run-status';

const duration = ({ start_time: start, end_time: end }: Report): string =>
  durationText(new Date(end).getTime() - new Date(start).getTime());
const code = ({ code_id: id, configuration_version: version }: Report): string => visible(id?.slice(0, 7) ?? version);

export function AgainstRunBefore({
  report,
  before,
  metrics,
}: {
  readonly report: Report;
  readonly before: Report;
  readonly metrics: readonly Metric[] | undefined;
}) {
  const earlier = useAnswer<readonly Metric[]>(`pdb/query/v4/reports/${encodeURIComponent(before.hash)}/metrics`);
  const figure = (list: readonly Metric[] | undefined, wanted: string): number | undefined =>
    list?.find(({ category, name }) => category === 'resources' && name === wanted)?.value;
  const shown = (value: number | undefined): string => (value === undefined ? '–' : count(value));
  const failed = figure(metrics, 'failed') ?? 0;
  return (
    <Card
      title="Against the run before"
      footer={
        <a class="link" href={hrefTo(['reports', before.hash])}>
          Open the run before
        </a>
      }
    >
      <table class="against">
        <thead>
          <tr>
            <th scope="col">
              <span class="sr">What</span>
            </th>
            <th scope="col">{momentText(before.end_time)}</th>
            <th scope="col">{momentText(report.end_time)}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td class="muted">Status</td>
            <td>
              <Mark tone={runTone(before)}>{runWord(before)}</Mark>
            </td>
            <td>
              <Mark tone={runTone(report)}>{runWord(report)}</Mark>
            </td>
          </tr>
          <tr>
            <td class="muted">Failed</td>
            <td>{shown(figure(earlier.data, 'failed'))}</td>
            <td>{failed > 0 ? <b class="failed">{count(failed)}</b> : shown(figure(metrics, 'failed'))}</td>
          </tr>
          <tr>
            <td class="muted">Changed</td>
            <td>{shown(figure(earlier.data, 'changed'))}</td>
            <td>{shown(figure(metrics, 'changed'))}</td>
          </tr>
          <tr>
            <td class="muted">Took</td>
            <td>{duration(before)}</td>
            <td>{duration(report)}</td>
          </tr>
          <tr>
            <td class="muted">Code</td>
            <td class="mono">{code(before)}</td>
            <td class="mono">{code(report)}</td>
          </tr>
          <tr>
            <td class="muted">Resources</td>
            <td>{shown(figure(earlier.data, 'total'))}</td>
            <td>{shown(figure(metrics, 'total'))}</td>
          </tr>
        </tbody>
      </table>
    </Card>
  );
}
