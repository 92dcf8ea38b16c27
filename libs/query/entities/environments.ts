import { keyedText } from '../kinds/keyed-text';
import { sql, table } from '../sql/fragment';
import type { Entity, Relation } from './entity';

const named: Relation = { local: ['name'], foreign: ['environment'] };

export const environments: Entity = {
  name: 'environments',
  title: 'environments',
  from: sql`${table('environments')} env`,
  joins: {},
  activeOnly: { path: false, root: false },
  where: sql`EXISTS (SELECT FROM ${table('factsets')} x WHERE x.environment = env.environment)
    OR EXISTS (SELECT FROM ${table('catalogs')} x WHERE x.environment = env.environment)
    OR EXISTS (SELECT FROM ${table('reports')} x WHERE x.environment = env.environment)`,
  fields: [{ name: 'name', kind: keyedText(sql`env.name`, [], 'environment', sql`env.environment`) }],
  relations: {
    facts: named,
    factsets: named,
    fact_contents: named,
    inventory: named,
    catalogs: named,
    resources: named,
    reports: named,
    events: named,
  },
};
