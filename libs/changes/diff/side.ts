import { bindPlanIndependent, type Fragment, key64, type Moment, sql, table } from '#query';
import { excerpt, Fault } from '#fault';
import type { RowReader } from '../reading/change-tables';

/** One of the two states in a comparison, as the request specifies it. */
export interface AskedSide {
  readonly certname: string;
  /** Undefined for the present. */
  readonly moment?: Moment | undefined;
}

/** A state that was found: its node, and its moment as positions in the log. */
export interface Side {
  readonly certname: string;
  /** The key of the node. */
  readonly node: Fragment;
  /** The value of the header X-Nodeledger-As-Of, and the time of the moment. Undefined for the present state. */
  readonly asOf?: { readonly name: string; readonly time: string };
  /** Returns SQL for a table as of the moment. */
  readonly table: (name: string) => Fragment;
}

/**
 * Finds the positions in the log at the moment. Throws the faults of moments, and `query.record` if the service did not
 * know the node at this moment.
 */
export async function readSide({ certname, moment }: AskedSide, reader: RowReader): Promise<Side> {
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
