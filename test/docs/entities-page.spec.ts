import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { entitiesPage } from './entities-page';

const file = join(__dirname, '../../docs/entities.md');

it('docs/entities.md is what the descriptors say (NODELEDGER_WRITE_PAGES=1 writes it)', () => {
  const page = entitiesPage();
  if (process.env['NODELEDGER_WRITE_PAGES'] === '1') writeFileSync(file, page);
  expect(readFileSync(file, 'utf8')).toBe(page);
});
