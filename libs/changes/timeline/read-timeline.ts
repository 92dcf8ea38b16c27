import { excerpt, Fault } from '#fault';
import { isList, NumberText, refusedParameter } from '#query';
import { parseAnswer, type RowReader } from '../reading/change-tables';
import { entriesOf } from './entries-of';
import { isKnownSql, isVolatileSql, timelineSql } from './timeline-sql';
import { type PageEnd, type TimelineRequest, writeAfter } from './timeline-request';
import type { TimelineKind } from './timeline-entry';

/**
 * Throws `query.parameter` for a volatile fact, `query.record` for an unknown node, and `query.no-history` if the
 * tables keep no history.
 */
export async function readTimeline(request: TimelineRequest, reader: RowReader): Promise<string> {
  const { certname, focus, limit } = request;
  if (focus?.kind === 'path') await refuseVolatile(focus.path.steps[0], reader);
  const found = readKeys(await reader.text(timelineSql(request)));
  if (found.length === 0) await explainNothing(certname, reader);
  const page = found.slice(0, limit);
  const keys = page.map(({ node, offset, kind }) => ({ node, offset, kind: kind as TimelineKind }));
  const entries = await entriesOf(reader.snapshot, reader.snapshot.schema, keys, focus);
  const last = found.length > limit ? page.at(-1) : undefined;
  const next = last === undefined ? 'null' : JSON.stringify(writeAfter(last));
  return `{"entries":[${entries.map(({ json }) => json).join(',')}],"next":${next}}`;
}

function readKeys(text: string | undefined): readonly PageEnd[] {
  const rows = parseAnswer(text ?? '[]');
  return (isList(rows) ? rows : []).map((row) => {
    const [receivedAt, partition, offset, node, kind] = (isList(row) ? row : []).map((one) =>
      one instanceof NumberText ? one.text : (one as string),
    ) as [string, string, string, string, string];
    return { receivedAt, partition, offset, node, kind };
  });
}

async function refuseVolatile(first: { readonly kind: string } | undefined, reader: RowReader): Promise<void> {
  const name = first !== undefined && 'key' in first ? (first.key as string) : '';
  if ((await reader.text(isVolatileSql(name))) === undefined) return;
  throw refusedParameter(
    `The fact '${excerpt(name)}' is volatile: its changes make no entries.`,
    'NODELEDGER_VOLATILE_FACTS lists the volatile facts. Compare two moments instead: nodeledger diff NODE@MOMENT NODE.',
  );
}

/**
 * Explains an empty page. Throws `query.no-history` if the tables keep no history, and `query.record` if the node is
 * unknown.
 */
async function explainNothing(certname: string | undefined, reader: RowReader): Promise<void> {
  await reader.snapshot.goBack({ kind: 'relative', seconds: 0 });
  if (certname === undefined || (await reader.text(isKnownSql(certname))) !== undefined) return;
  throw new Fault('missing', 'query.record', `No information is known about node ${excerpt(certname)}`);
}
