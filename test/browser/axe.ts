import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Returns what breaks WCAG 2.2 A and AA, and the best practices, as lines: rule, element, what to do. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: own } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await own.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 3)
        .map(({ target, html, any }) => `${id} ${target.join(' ')} ${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
    );
  });
}
