import { sql, table } from '../sql/fragment';
import { byEnvironment, type Entity, factOf } from './entity';

const nodeColumn = { local: ['certname'], foreign: ['certname'] };

export const resources: Entity = {
  name: 'resources',
  title: 'resources',
  from: sql`${table('catalog_resources')} cr`,
  joins: {
    content: { sql: sql`JOIN ${table('resource_contents')} rc ON rc.content = cr.content` },
    node: { sql: sql`JOIN ${table('nodes')} n ON n.node = cr.node` },
    catalog: { sql: sql`LEFT JOIN ${table('catalogs')} k ON k.node = cr.node` },
    environment: {
      sql: sql`LEFT JOIN ${table('environments')} env ON env.environment = k.environment`,
      after: ['catalog'],
    },
  },
  nodeJoin: 'node',
  activeOnly: { path: true, root: true },
  fields: [
    { name: 'resource', type: 'text', value: sql`rc.resource`, needs: ['content'] },
    {
      name: 'certname',
      type: 'text',
      value: sql`n.certname`,
      needs: ['node'],
      key: { domain: 'node', value: sql`cr.node` },
    },
    { name: 'tags', type: 'texts', value: sql`rc.tags`, needs: ['content'] },
    { name: 'tag', type: 'texts', value: sql`rc.tags`, needs: ['content'], uses: ['ask', 'order'], lowerCase: true },
    { name: 'exported', type: 'boolean', value: sql`rc.exported`, needs: ['content'] },
    { name: 'line', type: 'integer', value: sql`rc.line`, needs: ['content'] },
    { name: 'title', type: 'text', value: sql`rc.title`, needs: ['content'], prefix: sql`"left"(rc.title, 200)` },
    { name: 'type', type: 'text', value: sql`rc.type`, needs: ['content'], prefix: sql`"left"(rc.type, 200)` },
    {
      name: 'environment',
      type: 'text',
      value: sql`env.name`,
      needs: ['environment'],
      key: { domain: 'environment', value: sql`k.environment`, needs: ['catalog'] },
    },
    { name: 'file', type: 'text', value: sql`rc.file`, needs: ['content'] },
    {
      name: 'parameters',
      type: 'tree',
      value: sql`rc.parameters`,
      needs: ['content'],
      tree: { kind: 'document', document: sql`rc.parameters`, needs: ['content'] },
    },
  ],
  keyed: {
    ...factOf(sql`cr.node`),
    parameter: { kind: 'parameter', document: sql`rc.parameters`, needs: ['content'] },
  },
  relations: { nodes: nodeColumn, catalogs: nodeColumn, ...byEnvironment },
};
