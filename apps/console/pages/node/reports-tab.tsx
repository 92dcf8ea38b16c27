import type { Address } from '../../address/address';
import { equal } from '../../service/ast';
import { ReportTable } from '../report/report-table';

export function ReportsTab({
  certname,
  address,
  total,
}: {
  readonly certname: string;
  readonly address: Address;
  readonly total: number | undefined;
}) {
  return (
    <ReportTable
      title="Reports"
      condition={equal('certname', certname)}
      address={address}
      withNames={false}
      {...(total === undefined ? {} : { total })}
    />
  );
}
