import { bindPlanIndependent, type Fragment, key64, type Moment, sql, table } from '#query';
import { excerpt, Fault } from '#fault';
import type { RowReader } from '../reading/change-tables';

export interface SideRequest {
  readonly certname: string;
  readonly moment?: Moment | undefined;
}

export interface Side {
  readonly certname: string;
  readonly node: Fragment;
  /**
   * The past time that is compared, or undefined for the present state. `name` is this time in the form of the header
   * X-Nodeledger-As-Of.
   */
  readonly asOf?: { readonly name: string; readonly time: string };
  /** Returns SQL for the rows of a table that were valid at this time. */
  readonly table: (name: string) => Fragment;
}

/**
 * Returns the state of a node at a moment. Throws `query.record` if the service did not know the node at this moment,
 * and the faults of `goBack`.
 */
export async function readSide({ certname, moment }: SideRequest, reader: RowReader): Promise<Side> {
  const resolved = moment === undefined ? undefined : await reader.snapshot.goBack(moment);
  const side: Side = {
    certname,
    node: bindPlanIndependent(key64(certname), 'bigint'),
    ...(resolved !== undefined && { asOf: { name: resolved.name, time: resolved.time } }),
    table: (name) =>
      resolved === undefined
        ? table(name)
        : sql`${table(`${name}_at`)}(${bindPlanIndependent(resolved.positions, 'bigint[]')})`,
  };
  const known = await reader.text(
    sql`SELECT 'known' AS row FROM ${side.table('nodes')} n WHERE n.node = ${side.node}
      AND n.certname = ${bindPlanIndependent(certname, 'text')}`,
  );
  if (known === undefined) throw unknownNode(side);
  return side;
}

const unknownNode = ({ certname, asOf }: Side): Fault =>
  new Fault(
    'missing',
    'query.record',
    `No information is known about node ${excerpt(certname)}${asOf === undefined ? '' : ` as of ${asOf.time}`}`,
  );
