import { hrefWith } from '../../address/address';
import { EnvironmentChoice } from '../../filters/environment-choice';
import { PageHead } from '../../parts/card';
import { equal } from '../../service/ast';
import { useSession } from '../../shell/session';
import type { PageProps } from '../page-props';
import { ReportTable } from './report-table';

export function ReportsPage({ address }: PageProps) {
  const { summary } = useSession();
  const env = address.params.get('env');
  return (
    <>
      <PageHead title={<h1>Reports</h1>} below="Runs of all nodes, newest first">
        <EnvironmentChoice
          environments={summary.data?.environments ?? []}
          chosen={env}
          href={(name) => hrefWith(address, { env: name })}
        />
      </PageHead>
      <ReportTable
        title="Runs"
        condition={env === undefined ? undefined : equal('environment', env)}
        address={address}
        withNames
      />
    </>
  );
}
