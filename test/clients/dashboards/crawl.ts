/**
 * Follows the links of puppetboard's pages and the requests of their scripts. Visits a sample of the pages of each
 * shape. The sample depends only on the addresses, so equal links give equal samples.
 */
import { createHash } from 'node:crypto';
import { decodeEntities } from './html-entities';

export interface Page {
  /** With the query string. */
  readonly path: string;
  readonly status: number;
  /** The name that puppetboard gives to the kind of answer. */
  readonly view: string;
  readonly contentType: string;
  readonly body: string;
}

const requestsAtOnce = 4;

export async function crawl(base: string, seeds: readonly string[], perShape: number): Promise<Page[]> {
  const known = new Set<string>();
  const visits = new Map<string, number>();
  const pages: Page[] = [];
  for (let found: readonly string[] = seeds; found.length > 0;) {
    const chosen = [...new Set(found)]
      .filter((path) => !known.has(path))
      .sort((a, b) => (digest(a) < digest(b) ? -1 : 1))
      .filter((path) => {
        const count = (visits.get(shapeOf(path)) ?? 0) + 1;
        visits.set(shapeOf(path), count);
        return count <= perShape || seeds.includes(path);
      });
    chosen.forEach((path) => known.add(path));
    const round = await inParallel(chosen, (path) => visit(base, path));
    pages.push(...round);
    found = round.flatMap((page) => linksOf(base, page));
  }
  return pages;
}

const digest = (path: string): string => createHash('sha256').update(path).digest('hex');

export async function visit(base: string, path: string, init: RequestInit = {}): Promise<Page> {
  const answer = await fetch(base + path, { redirect: 'manual', ...init });
  const header = (name: string): string => answer.headers.get(name) ?? '';
  const body = await answer.text();
  return { path, status: answer.status, view: header('x-view'), contentType: header('content-type'), body };
}

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index] as T);
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, worker));
  return results;
}

const views = new Set(
  'catalog catalogs class_resource classes daily_reports_chart.json fact facts failures inventory metric metrics node nodes query radiator report reports static status offline -'.split(
    ' ',
  ),
);

/** puppetboard sends many answers of this kind as `text/html`. */
export const isJson = ({ path, contentType }: Page): boolean =>
  contentType.includes('json') || /\/json(?:\?|$)/.test(path);

/**
 * Returns the environment, the view and the end of the path. Pages that differ only in names and values have the same
 * shape.
 */
function shapeOf(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://board');
  const parts = pathname.split('/').slice(1);
  const environment = views.has(parts[0] ?? '') || parts.length === 1 ? '' : parts.shift();
  const end = /^(?:json|children|raw|friendly)$/.exec(parts.at(-1) ?? '')?.[0] ?? '';
  return [environment, parts[0], Math.min(parts.length, 3), end, ...searchParams.keys()].join(' ');
}

function linksOf(base: string, page: Page): string[] {
  const { path, body } = page;
  const links = isJson(page) ? jsonLinks(JSON.parse(body)) : htmlLinks(body);
  // A switch of the page: original error texts, or readable ones.
  if (body.includes('id="friendly_div"') && !/\/(?:raw|friendly)$/.test(path)) links.push(`${path}/raw`);
  return links
    .map((link) => new URL(link, base + path))
    .filter((url) => url.origin === new URL(base).origin)
    .map((url) => url.pathname + url.search);
}

function htmlLinks(html: string): string[] {
  const links = [...html.matchAll(/\b(?:href|src|action|data-value)="([^"]+)"/g)].map(([, link = '']) => link);
  // Requests of scripts: rows of tables, the chart of days, parts of a fact.
  links.push(...[...html.matchAll(/"ajax": "([^"]+)"/g)].map(([, link = '']) => link));
  const chart = /<div id="dailyReportsChart"(?: data-certname="([^"]*)")?/.exec(html);
  if (chart !== null)
    links.push(
      chart[1] === undefined ? 'daily_reports_chart.json' : `../daily_reports_chart.json?certname=${chart[1]}`,
    );
  for (const [, fact = ''] of html.matchAll(/class="fact-toggle"[^>]*>[^<]*<\/span>\s*<a href="([^"]+)"/g))
    links.push(`${fact}/children/json`);
  return links.map(decodeEntities).filter((link) => !brokenLink.test(link));
}

/** Links to the latest report of a node without reports, and a template that a script fills in. */
const brokenLink = /\/report\/[^/]+\/False$|\$\{/;

/** The order of the members differs between servers. Maps with few members have a fixed order. */
export const isWrittenMap = (link: string): boolean => /%7B/i.test(link) && link.length > 300;

/** Rows of tables are HTML, or `["<address>", <value>]` as text. */
function jsonLinks(value: unknown): string[] {
  if (typeof value === 'string') {
    const pair = /^\["(\/[^"]*)"/.exec(value)?.[1];
    if (pair !== undefined) return isWrittenMap(pair) ? [] : [pair];
    return htmlLinks(value);
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(jsonLinks) : [];
}
