import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorsPage } from './errors-page';

const file = join(__dirname, '../../docs/errors.md');

it('docs/errors.md is what libs/fault/codes says (npm run docs:errors writes it)', () => {
  const page = errorsPage();
  if (process.env['NODELEDGER_WRITE_PAGES'] === '1') writeFileSync(file, page);
  expect(readFileSync(file, 'utf8')).toBe(page);
});
