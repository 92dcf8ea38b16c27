import { keyedText } from '../kinds/keyed-text';
import { sql, table } from '../sql/fragment';
import type { Entity, Relation } from './entity';

const named: Relation = { local: ['name'], foreign: ['producer'] };

export const producers: Entity = {
  name: 'producers',
  title: 'producers',
  from: sql`${table('producers')} pro`,
  joins: {},
  activeOnly: { path: false, root: false },
  where: sql`EXISTS (SELECT FROM ${table('factsets')} x WHERE x.producer = pro.producer)
    OR EXISTS (SELECT FROM ${table('catalogs')} x WHERE x.producer = pro.producer)
    OR EXISTS (SELECT FROM ${table('reports')} x WHERE x.producer = pro.producer)`,
  fields: [{ name: 'name', kind: keyedText(sql`pro.name`, [], 'producer', sql`pro.producer`) }],
  relations: { factsets: named, catalogs: named, reports: named },
};
