/**
 * Requests to a puppetboard with the site of site-commands.ts, and the parts of the answers that are compared with the
 * reference.
 */
import { crawl, type Page, visit } from './crawl';
import { pageText } from './page-text';

/** Requests as the scripts of the tables send them: sorted, filtered, searched and paged. */
const tableRequest = (over: Record<string, string>): string =>
  new URLSearchParams({ draw: '1', start: '0', length: '100', 'search[value]': '', ...over }).toString();
const seeds = [
  '/',
  ...[
    { 'columns[1][search][value]': '*', 'columns[0][search][value]': '{}' },
    { 'columns[1][search][value]': 'failed|' },
    { 'columns[1][search][value]': 'unchanged|noop|' },
    { 'columns[1][search][value]': 'changed|noop|' },
    { 'columns[1][search][value]': 'none' },
    { 'columns[0][search][value]': '{"min":"2026-03-02","max":"2026-03-03"}' },
    { 'columns[0][search][value]': '{"min":"2026-03-03"}' },
    { 'search[value]': 'failed.*test$' },
    { 'search[value]': 'no such' },
    { length: '2', start: '1', 'order[0][column]': '3', 'order[0][dir]': 'desc' },
    ...['1', '2', '3', '4'].map((column) => ({ 'order[0][column]': column, 'order[0][dir]': 'asc' })),
  ].map((over) => `/*/reports/json?${tableRequest(over)}`),
  `/*/catalogs/json?${tableRequest({ 'order[0][column]': '1', 'order[0][dir]': 'desc', length: '2' })}`,
  `/*/catalogs/json?${tableRequest({ 'search[value]': '^(kinds|noop)' })}`,
];

/** A request of the page «Query»: the endpoint, the query, and whether the answer is shown as JSON. */
const queries: readonly (readonly [endpoint: string, query: string, raw?: 'raw'])[] = [
  ['pql', 'nodes[certname, report_timestamp] { order by certname }'],
  ['pql', 'nodes { order by certname limit 2 }', 'raw'],
  ['pql', 'inventory[certname, facts.os.name] { facts.kernel = "Linux" order by certname }'],
  ['pql', 'reports[count(), status] { group by status }'],
  ['pql', 'resources[type, title] { exported = true and certname = "none" }'],
  ['nodes', '["=", "certname", "failed.board.test"]', 'raw'],
  ['resources', '"extract", ["title", "line", "parameters"], ["=", "certname", "failed.board.test"]'],
  ['facts', '["and", ["~", "name", "^kind_"], ["=", "certname", "kinds.board.test"]]', 'raw'],
  ['factsets', '["extract", ["certname", "environment", "hash"], ["~", "certname", "board"]]', 'raw'],
  ['fact-paths', '["~>", "path", ["kind_map", ".*"]]'],
  ['fact-contents', '["~>", "path", ["os", "distro", ".*"]]'],
  ['reports', '["=", "certname", "failed.board.test"]', 'raw'],
  ['events', '["=", "certname", "failed.board.test"]', 'raw'],
  ['catalogs', '["extract", ["certname", "version", "hash"], ["~", "certname", "board"]]', 'raw'],
  ['edges', '["=", "certname", "failed.board.test"]'],
  ['environments', '["~", "name", "."]'],
];

/** `perShape`: the number of visited pages of the same shape. */
export async function visitBoard(base: string, perShape: number): Promise<Page[]> {
  const pages = await crawl(base, seeds, perShape);
  for (const [endpoint, query, raw] of queries) pages.push(await postQuery(base, endpoint, query, raw === 'raw'));
  return pages;
}

/** Fills in the form of the page «Query» and submits it. */
export async function postQuery(base: string, endpoint: string, query: string, raw: boolean): Promise<Page> {
  const form = await fetch(`${base}/query`);
  const csrf = /name="csrf_token"[^>]*value="([^"]+)"/.exec(await form.text())?.[1] ?? '';
  const cookie = (form.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  const body = new URLSearchParams({ csrf_token: csrf, query, endpoints: endpoint, ...(raw ? { rawjson: 'y' } : {}) });
  const page = await visit(base, '/query', { method: 'POST', headers: { cookie }, body });
  return { ...page, path: `/query ${endpoint} ${query}${raw ? ' raw' : ''}` };
}

/** Returns the texts of the pages that show submitted content, by their addresses. */
export function comparedTexts(pages: readonly Page[]): Map<string, string[]> {
  const compared = pages
    .filter(({ view, path }) => !/static$/.test(view) && (!/^metrics?$/.test(view) || /name=num-nodes$/.test(path)))
    .map((page) => [page.path, pageText(page)] as const);
  return new Map(compared.sort(([a], [b]) => (a < b ? -1 : 1)));
}
