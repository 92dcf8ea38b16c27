import { hrefWith } from '../../address/address';
import { Card, PageHead } from '../../parts/card';
import { Answered, Empty, Loading, Trouble } from '../../parts/states';
import { useSession } from '../../shell/session';
import type { PageProps } from '../page-props';
import { FleetBar } from './fleet-bar';
import { headingOf } from './heading';
import { LatestChanges } from './latest-changes';
import { RunsCard } from './runs-card';
import { TablesAndLog } from './tables-and-log';
import { WhatFails } from './what-fails';
import { useAnswer } from '../../service/use-answer';
import type { Failures, Summary } from '../../service/shapes';
import { EnvironmentChoice } from '../../filters/environment-choice';

export function OverviewPage({ address }: PageProps) {
  const session = useSession();
  const env = address.params.get('env');
  const where = env === undefined ? undefined : JSON.stringify({ environment: [env] });
  const own = useAnswer<Summary>(
    env === undefined ? undefined : 'nodeledger/v1/summary',
    { where },
    { every: 15, keepOld: false },
  );
  const summary = env === undefined ? session.summary : own;
  const failures = useAnswer<Failures>('nodeledger/v1/failures', { where, limit: 20 }, { every: 15 });
  const { data } = summary;
  if (data === undefined)
    return summary.refusal === undefined ? (
      <Loading />
    ) : (
      <>
        <PageHead title={<h1>Overview</h1>} />
        <Trouble answer={summary} />
      </>
    );
  if (data.total === 0 && env === undefined) return <NothingYet />;
  const { title, note } = headingOf(data, failures.data);
  return (
    <>
      <PageHead title={<h1>{title}</h1>} below={note}>
        <EnvironmentChoice
          environments={data.environments.length > 0 ? data.environments : (session.summary.data?.environments ?? [])}
          chosen={env}
          href={(name) => hrefWith(address, { env: name })}
        />
      </PageHead>
      <Trouble answer={summary} />
      <FleetBar summary={data} env={env} />
      <div class="cols">
        <div class="stack">
          <Answered answer={failures} lines={3}>
            {(found) => <WhatFails failures={found} env={env} address={address} />}
          </Answered>
          <RunsCard address={address} env={env} />
          <TablesAndLog />
        </div>
        <div class="stack">
          <LatestChanges env={env} />
        </div>
      </div>
    </>
  );
}

function NothingYet() {
  return (
    <>
      <PageHead title={<h1>No node has reported yet</h1>} />
      <Card title="Nothing there yet">
        <Empty title="Point a server at this service">
          <p>docs/connect-a-server.md says how. In a clone, this command submits a simulated fleet:</p>
          <code class="sample">npm run fleet</code>
        </Empty>
      </Card>
    </>
  );
}
