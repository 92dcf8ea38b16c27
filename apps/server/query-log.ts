import type { Settings } from '#config';
import { identityFields } from '#http';
import type { Log } from '#observe';
import type { QueryRecord } from '#query';

const mostSqlCharacters = 20_000;
/** These failures concern many queries at once, and an alert or another log line reports them. */
const quiet = /^(query\.(crowded|stopping)|database\.|log\.|http\.broken$)/;

/**
 * A failure with the code `query.gone` means that the client has disconnected. If the query was slow, this was possibly
 * the reason, so the level is info.
 */
const levelOf = (failure: string | undefined, isSlow: boolean): 'info' | 'debug' =>
  failure !== undefined && (quiet.test(failure) || (failure === 'query.gone' && !isSlow)) ? 'debug' : 'info';

type QueryLogSettings = Pick<Settings, 'queryLog' | 'queryLogThreshold'>;

/** Never logs the values of a query: statements contain $1 and $2 instead. */
export function queryLog(
  { queryLog: which, queryLogThreshold: thresholdMs }: Readonly<QueryLogSettings>,
  log: Log,
): ((record: QueryRecord) => void) | undefined {
  if (which === 'off') return undefined;
  return ({ identity, route, origin, ms, rows, failure, statements }) => {
    const isSlow = ms >= thresholdMs;
    if (which === 'slow' && !isSlow && failure === undefined) return;
    const level = levelOf(failure, isSlow);
    if (!log.isLevelEnabled(level)) return;
    const sql = log.isLevelEnabled('debug') && statements.length > 0 ? shortened(statements) : undefined;
    const text = failure !== undefined ? 'a query failed' : isSlow ? 'a slow query' : 'a query';
    log[level]({ ...identityFields(identity), route, origin, ms: Math.round(ms), rows, code: failure, sql }, text);
  };
}

function shortened(statements: readonly string[]): string {
  const text = statements.join(';\n');
  return text.length > mostSqlCharacters ? `${text.slice(0, mostSqlCharacters)}… (${text.length} characters)` : text;
}
