/**
 * Returns the text of a page of puppetboard without markup: one line for each row and each block of text. Sorts lines
 * and members of objects, because most queries of puppetboard have no order.
 */
import { isJson, isWrittenMap, type Page } from './crawl';
import { decodeEntities } from './html-entities';

export function pageText(page: Page): string[] {
  const { status, body } = page;
  const lines = isJson(page) ? jsonLines(JSON.parse(body)) : [...textLines(contentOf(body)), ...dataLines(body)];
  return [`status ${status}`, ...lines.map(withoutReceiptTimes).sort()];
}

const lastDay = '2026-03-03';

/**
 * The documents of the site are from 2 March 2026. Later times are times of receipt, and later days are the last days
 * before the test, which the chart of reports shows.
 */
const withoutReceiptTimes = (line: string): string =>
  line
    .replace(/\b(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g, (time, day: string) =>
      day > lastDay ? 'received' : time,
    )
    .replace(/"day":"(\d{4}-\d\d-\d\d)"/g, (text, day: string) => (day > lastDay ? '"day":"recent"' : text));

/** Without the frame that all pages have. */
function contentOf(html: string): string {
  const from = html.indexOf('<div class="ui grid padding-bottom">');
  const to = html.indexOf('<div id="scroll-btn-top">');
  return from < 0 ? html.slice(Math.max(0, html.indexOf('<body'))) : html.slice(from, to < 0 ? undefined : to);
}

/** A row of a table becomes one line, with the addresses of its links. */
function textLines(html: string): string[] {
  return html
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/<a\b[^>]*\bhref="([^"]*)"[^>]*>/g, '[$1] ')
    .replace(/<\/(?:tr|li|h\d|p|thead|tbody|table|pre)>/g, '\n')
    .replace(/<\/t[dh]>/g, ' | ')
    .replace(/<[^>]*>/g, ' ')
    .split('\n')
    .map((line) => decodeEntities(line).replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
}

/** The rows that scripts of the page show. */
function dataLines(html: string): string[] {
  const lines: string[] = [];
  for (const [, name = '', json = ''] of html.matchAll(/^\s*var (logs|events|data) = (\[.*\]);?$/gm))
    for (const row of JSON.parse(json) as unknown[]) lines.push(`${name}: ${canonical(row)}`);
  const raw = /^\s*\$\("#result"\)\.html\(pretty_print\((\[.*\])\)\);$/m.exec(html)?.[1];
  if (raw !== undefined) for (const row of JSON.parse(raw) as unknown[]) lines.push(`result: ${canonical(row)}`);
  return lines;
}

function jsonLines(value: unknown): string[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [canonical(value)];
  return Object.entries(value).flatMap(([name, member]) =>
    Array.isArray(member) ? member.map((row) => `${name}: ${canonical(row)}`) : [`${name}: ${canonical(member)}`],
  );
}

function canonical(value: unknown): string {
  const cell = typeof value === 'string' ? factCell(value) : undefined;
  return JSON.stringify(cell ?? value, (_key, member: unknown) => {
    if (typeof member === 'string') return factCell(member) ?? member;
    if (member === null || typeof member !== 'object' || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Returns the value of a fact with its link as text, or without the link if the value is a map. */
function factCell(text: string): unknown[] | undefined {
  if (!/^\["\/[^"]*\/fact\/|^\["\/fact\//.test(text)) return undefined;
  const [link, value] = JSON.parse(text) as [string, unknown];
  return isWrittenMap(link) ? [value] : [link, value];
}
